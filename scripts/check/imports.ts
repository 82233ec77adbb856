import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

/**
 * The parts from which each part may import, besides itself. Imports that are not listed are
 * forbidden.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  bin: ['commands', 'src/cli'],
  commands: ['src/cli', 'src/http', 'src/operations', 'src/domain', 'src/config'],
  'src/cli': [
    'src/testing',
    'src/contract',
    'src/open-service',
    'src/system',
    'src/config',
    'src/http',
    'src/operations',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  'src/open-service': [
    'src/adapters',
    'src/system',
    'src/config',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  'src/config': ['src/usecases', 'src/ports', 'src/domain'],
  'src/http': [
    'src/contract',
    'src/operations',
    'src/wire',
    'src/usecases',
    'src/ports',
    'src/domain',
  ],
  // The module that partners install: it knows the service only by HTTP.
  'src/testing': [],
  'src/operations': ['src/wire', 'src/usecases', 'src/ports', 'src/domain'],
  // agreement.ts compares it with the types of the contract.
  'src/wire': ['src/contract', 'src/usecases', 'src/ports', 'src/domain'],
  'src/contract': ['src/domain'],
  'src/adapters': ['src/system', 'src/ports', 'src/domain'],
  'src/system': ['src/domain'],
  'src/usecases': ['src/ports', 'src/domain'],
  'src/ports': ['src/domain'],
  'src/domain': [],
}

/** The domain does no I/O, so it may use only these packages, which just compute. */
const pureLibraries = ['ibantools', 'uuid']

/** Returns a line for each import below `root` that violates the arrows. */
export function findForbiddenImports(root: string): string[] {
  return Object.keys(arrows)
    .flatMap((part) => sourceFiles(join(root, part)))
    .flatMap((file) => forbiddenIn(root, file))
}

function forbiddenIn(root: string, file: string): string[] {
  const from = partOf(relative(root, file))
  return importsOf(file)
    .filter((specifier) => !isAllowed(root, { file, from, specifier }))
    .map((specifier) => `${relative(root, file)} imports ${specifier}`)
}

interface Import {
  readonly file: string
  readonly from: string
  readonly specifier: string
}

function isAllowed(root: string, { file, from, specifier }: Import): boolean {
  if (!specifier.startsWith('.')) return from !== 'src/domain' || pureLibraries.includes(specifier)
  const target = relative(root, resolve(dirname(file), specifier))
  if (target === 'package.json' || target === 'oclif.manifest.json') return true
  const to = partOf(target)
  return to === from || (arrows[from] ?? []).includes(to)
}

/** `src/cli/files/yaml.ts` -> `src/cli`, `src/config.ts` -> `src/config`, `commands/serve.ts` -> `commands`. */
function partOf(path: string): string {
  const [top = '', second = ''] = path.split('/')
  return top === 'src' ? `src/${second.replace(/\.ts$/, '')}` : top
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles.map((found) => found.fileName)
}

/** A part is a folder, a file, or a file with a folder of its parts. */
function sourceFiles(path: string): string[] {
  const file = `${path}.ts`
  return [...(existsSync(file) ? [file] : []), ...(existsSync(path) ? filesIn(path) : [])]
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}
