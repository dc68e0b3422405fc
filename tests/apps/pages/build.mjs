// Builds every app of src into the folder that is given: production builds, as
// a site would serve them.
import { build } from 'esbuild';
import { readdir, readFile } from 'node:fs/promises';
import { compile } from 'svelte/compiler';

const svelte = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, 'utf8'), { filename: path, css: 'injected' }).js.code,
    }));
  },
};

const parts = new Set(['record.js', 'App.svelte', 'jquery-global.js']); // no apps of their own
const files = (await readdir(new URL('src', import.meta.url))).filter((name) => !parts.has(name));

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: files.map((name) => `src/${name}`),
  outdir: process.argv[2],
  bundle: true,
  format: 'esm',
  minify: true,
  logLevel: 'warning',
  jsx: 'automatic',
  conditions: ['browser', 'production'],
  define: {
    'process.env.NODE_ENV': '"production"',
    __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  loader: { '.png': 'dataurl' },
  tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  plugins: [svelte],
});
