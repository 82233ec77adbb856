// Builds the program with all its dependencies as one file, because hundreds of files would take
// longer to read than the rest of a start.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'
import { bundle, codeCaches } from '../../bin/run-bundle.js'
import { bundleProgram } from './bundle.ts'
import { writeCodeCaches } from './code-caches.ts'

/**
 * Removes builds for other versions of Node. Files of other scripts (the executable, a release)
 * stay.
 */
async function removeBuilt(): Promise<void> {
  const directory = dirname(bundle)
  const made = (name: string) => name.startsWith(basename(bundle)) || name.endsWith('.cache')
  const names = await readdir(directory).catch(() => [])
  await Promise.all(names.filter(made).map((name) => rm(join(directory, name))))
}

// coopshare/testing is a module in one file, with its types beside it.
const entry = 'src/tools/testing.ts'
/** The files to which the types of the entry refer. */
const typed = [entry, ...['coopshare', 'operator-client', 'results'].map(inFolder)]

function inFolder(name: string): string {
  return join('src', 'tools', 'testing', `${name}.ts`)
}

async function buildTestingModule(destination: string): Promise<void> {
  await rm(join(destination, 'testing'), { recursive: true, force: true })
  await build({
    entryPoints: [entry],
    outfile: join(destination, `${basename(entry, '.ts')}.js`),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  })
  await Promise.all(typed.map((file) => writeDeclarations(destination, file)))
}

async function writeDeclarations(destination: string, fileName: string): Promise<void> {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(
    await readFile(fileName, 'utf8'),
    { fileName, compilerOptions: { target: ts.ScriptTarget.ES2023, isolatedDeclarations: true } },
  )
  const [first] = diagnostics
  if (first) throw new Error(ts.flattenDiagnosticMessageText(first.messageText, '\n'))
  const file = join(destination, fileName.replace(/^src\/tools\//, '').replace(/\.ts$/, '.d.ts'))
  await mkdir(dirname(file), { recursive: true })
  // The declarations import each other with `.js`, which every setting of the compiler accepts.
  await writeFile(file, outputText.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}

await removeBuilt()
await bundleProgram(bundle)
await buildTestingModule(dirname(bundle))
await writeCodeCaches(bundle, codeCaches)
