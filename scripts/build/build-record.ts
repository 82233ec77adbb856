// Says whether the program in dist/ was made from today's sources. `npm run build` makes no second
// build from the same sources, and tests refuse to run a program from others.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { bundle, codeCaches } from '../../bin/run-bundle.js'
import { readCommit } from './commit.ts'
import { listGuideFiles } from './guide/files.ts'

/**
 * Everything from which the program is made. The lock file stands for all packages. These are whole
 * folders, so that a new file counts, too. The guide has other files besides.
 */
const sources = [
  ...['bin', 'commands', 'src', 'scripts/build', 'fixtures/demo.yaml', 'fixtures/img'],
  ...['package.json', 'package-lock.json'],
]

/** Modules below src/ that the build itself writes from other files. */
export const generatedModules = [
  'src/cli/serve/demo-data.ts',
  'src/contract/reference-page.ts',
  'src/http/guide/pages.ts',
  'src/http/look/files.ts',
  'src/http/console/look/files.ts',
] as const

const directory = 'dist'
const file = join(directory, 'build.json')
const builtFiles = [bundle, ...Object.values(codeCaches)].map((path) =>
  join(directory, basename(path)),
)
const made = [...builtFiles, ...generatedModules]

interface BuildRecord {
  /** The commit that the program reports. */
  readonly commit: string
  /** The digests of all sources, by path. */
  readonly digests: Readonly<Record<string, string>>
}

/** Reads the sources before a build, because they may change while it runs. */
export async function readSources(): Promise<BuildRecord> {
  const files = (await Promise.all([...sources, ...listGuideFiles()].map(listFiles))).flat()
  const digests = await Promise.all(
    files.map(async (path) => [path, await digestOf(path)] as const),
  )
  return { commit: readCommit(), digests: Object.fromEntries(digests) }
}

export async function writeBuildRecord(record: BuildRecord): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`)
}

/** Without a record, a build that was interrupted does not count. */
export async function removeBuildRecord(): Promise<void> {
  await rm(file, { force: true })
}

/** @returns a file that makes the build old, or undefined if the program is from these sources */
export async function findChange({ digests }: BuildRecord): Promise<string | undefined> {
  const built = await readBuildRecord()
  const missing = made.find((path) => !existsSync(path))
  if (!built || missing !== undefined) return missing ?? file
  const paths = Object.keys({ ...built.digests, ...digests })
  return paths.find((path) => built.digests[path] !== digests[path])
}

/**
 * Whether the program reports the right commit. Changes of other files do not count: the program is
 * still that of its commit.
 */
export async function isOfCommit({ commit }: BuildRecord): Promise<boolean> {
  const built = (await readBuildRecord())?.commit
  return built === commit || `${built}+dirty` === commit
}

async function readBuildRecord(): Promise<BuildRecord | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text)
}

const generated: ReadonlySet<string> = new Set(generatedModules)

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => !generated.has(name))
    .sort()
}

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('base64')
}
