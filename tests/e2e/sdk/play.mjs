// Plays steps against a server with the official TypeScript SDK:
//
//	node play.mjs BINARY URL <STEPS
//
// STEPS is a JSON list of {method, tool, arguments}. In arguments $URL stands
// for the site, $URI and $FILE for the address and the path of the file that
// the answers last linked. Each step prints one line, {"result": …} as JSON;
// after the last one the server is told to end, and {"closed": ms} is printed.
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [command, url] = process.argv.slice(2)
const steps = JSON.parse(await text(process.stdin))
const client = new Client({ name: 'e2e-sdk', version: '1.0.0' })
const known = { $URL: url }

// Any error of the SDK, such as a line that is no message, fails the play.
client.onerror = (error) => { throw error }

const methods = {
  initialize: async () => {
    await client.connect(new StdioClientTransport({ command, env: process.env, stderr: 'inherit' }))
    return { serverInfo: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions() }
  },
  'tools/list': () => client.listTools(),
  'tools/call': (step, args) => client.callTool({ name: step.tool, arguments: args }),
  'resources/read': (step, args) => client.readResource(args),
}

for (const step of steps) {
  const args = JSON.parse(JSON.stringify(step.arguments ?? {}).replace(/\$[A-Z]+/g, (name) => known[name] ?? name))
  const result = await methods[step.method](step, args)
  const link = result.content?.find((content) => content.type === 'resource_link')
  if (link) Object.assign(known, { $URI: link.uri, $FILE: link.description })
  console.log(JSON.stringify({ result }))
}
const started = performance.now()
await client.close()
console.log(JSON.stringify({ closed: Math.round(performance.now() - started) }))
