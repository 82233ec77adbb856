import { join } from 'node:path'
import { build } from 'esbuild'

const address = 'import.meta.url'
/** The bundle is an ES module, but packages in CommonJS call `require`. */
const requireForPackages = `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(${address})`

interface BuildOptions {
  readonly entry?: string
  /** Distinguishes the files of processes that build at the same time. */
  readonly name?: string
}

/**
 * Builds the service and the simulation as one file. Node loads separate modules in the order in
 * which the disk delivers them, and a seed would then not always have the same history.
 * @param root the sources: the repository, or a copy of it with a fault
 */
export async function buildWorker(
  root: string,
  { entry = 'sim/worker.ts', name = String(process.pid) }: BuildOptions = {},
): Promise<string> {
  const outfile = join(process.cwd(), 'dist', 'sim', `worker-${name}.js`)
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
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
