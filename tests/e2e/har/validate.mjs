// Reads an HTTP Archive from standard input and fails, with every error, when
// it does not follow the schema.
import { readFileSync } from 'node:fs'
import validator from 'har-validator'

try {
  await validator.har(JSON.parse(readFileSync(0, 'utf8')))
} catch (error) {
  console.error(JSON.stringify(error.errors ?? String(error), null, 1))
  process.exit(1)
}
