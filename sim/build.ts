import { join } from 'node:path'
import { build } from 'esbuild'

// Some packages are CommonJS.
const requireForPackages =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)"

/**
 * Builds the service and the simulation as one file. Node loads a module when the disk has it, but
 * a seed is one history: in one file everything is there from the start.
 * @param root the sources: the repository, or a copy of it with a fault
 * @param name other processes may build at the same time
 */
export async function buildWorker(root: string, name = String(process.pid)): Promise<string> {
  const outfile = join(process.cwd(), 'dist', 'sim', `worker-${name}.js`)
  await build({
    absWorkingDir: root,
    entryPoints: ['sim/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: requireForPackages },
    minifyWhitespace: true,
    alias: { 'lru-cache': './sim/lru-cache.ts' },
    logLevel: 'warning',
  })
  return outfile
}
