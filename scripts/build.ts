// What is published and run: each command with all it needs in few files, because reading hundreds takes a start longer than its work.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const outdir = 'dist'

async function listCommands(): Promise<string[]> {
  const names = await readdir('commands', { recursive: true })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join('commands', name))
}

await rm(outdir, { recursive: true, force: true })
await build({
  entryPoints: [...(await listCommands()), 'src/cli/command-not-found.ts'],
  outdir,
  outbase: '.',
  bundle: true,
  splitting: true,
  // bin/run.js has its own; and what reads files that lie beside it.
  external: ['@oclif/*', 'bankdata-germany'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  keepNames: true,
  legalComments: 'linked',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
  // CommonJS packages call it, and there is none in a module.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
})
