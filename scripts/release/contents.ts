import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinnedNodeVersion } from '../build/bundle.ts'
import { headingInPage, headingOf, pageFolder, readPageNames } from '../build/licences.ts'
import { contractDirectory, readManifest, readPinned } from '../contract/sources.ts'

/** The versions that different files state. */
interface VersionSources {
  /** The version in package.json, which is authoritative. */
  readonly version: string
  readonly lock: string
  readonly manifest: string
  readonly changelog: string
  /** The tag of a release; undefined for a trial. */
  readonly tag: string | undefined
  /** The commit of the sources, as the program reports it. */
  readonly commit: string
}

/** @returns a sentence for each place with another version, and what to do */
export function findVersionFaults(told: VersionSources): string[] {
  const { version, lock, manifest, changelog, tag, commit } = told
  const is = `package.json has version ${version}`
  const [, heading = '', state = ''] = /^## (\S+?)(?:, (.+))?$/m.exec(changelog) ?? []
  return [
    ...(lock === version
      ? []
      : [`${is}, but package-lock.json has ${lock}. Run \`npm install --package-lock-only\`.`]),
    ...(manifest === version
      ? []
      : [`${is}, but oclif.manifest.json has ${manifest}. Run \`npm run check:manifest\`.`]),
    ...(heading === version
      ? []
      : [
          `${is}, but the first heading of CHANGELOG.md is "${heading}". Begin a part "## ${version}, unreleased".`,
        ]),
    ...(tag === undefined ? [] : findTagFaults({ version, commit, state, tag })),
  ]
}

interface Tagged {
  readonly version: string
  readonly commit: string
  readonly state: string
  readonly tag: string
}

function findTagFaults({ version, commit, state, tag }: Tagged): string[] {
  return [
    ...(/^[0-9a-f]+$/.test(commit)
      ? []
      : [
          `The sources are at commit ${commit}. Release from a checkout without uncommitted changes.`,
        ]),
    ...(tag === `v${version}`
      ? []
      : [
          `The tag is ${tag}, but package.json has version ${version}. Use the tag v${version}, or run \`npm version\`.`,
        ]),
    ...(/^\d{4}-\d\d-\d\d$/.test(state)
      ? []
      : [
          `CHANGELOG.md has "${state}" in place of the date of the release. Write "## ${version}, yyyy-mm-dd".`,
        ]),
  ]
}

/** The facts that a program must report before its release. */
export interface Expected {
  readonly version: string
  readonly commit: string
  /** The version of Node that an executable contains. */
  readonly node?: string | undefined
}

/** @returns the differences between the report of the program and what is expected */
export function findProgramFaults(
  words: readonly string[],
  { version, commit, node }: Expected,
): string[] {
  const name = words.at(-1)
  const again = 'Run `npm run build && npm run binary`.'
  const [told = ''] = run(words, '--version').split('\n')
  if (!told.startsWith(`coopshare/${version} `)) {
    return [`${name} --version prints "${told}", but package.json has version ${version}. ${again}`]
  }
  if (node !== undefined && !told.includes(` node-v${node}`)) {
    return [
      `${name} --version prints "${told}", but package.json pins Node ${node}. Build with that version.`,
    ]
  }
  if (!told.endsWith(` commit ${commit}`)) {
    return [`${name} --version prints "${told}", but the sources are at commit ${commit}. ${again}`]
  }
  return findContractFaults(words).map(
    (file) => `${name} and src/contract have different files ${file}. ${again}`,
  )
}

function findContractFaults(words: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    run(words, 'contract', 'export', folder)
    const { versions } = readManifest(contractDirectory)
    const pinned = versions.flatMap((each) => Object.entries(readPinned(contractDirectory, each)))
    return pinned
      .filter(([name, text]) => readIfThere(join(folder, 'openapi', name)) !== text)
      .map(([name]) => name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function run([program = '', ...argv]: readonly string[], ...more: readonly string[]): string {
  return spawnSync(program, [...argv, ...more], { encoding: 'utf8' }).stdout ?? ''
}

// The bundler names the source file above each part, or as the name of a function.
const origin = /^(?:\/\/ |\s*")(.*node_modules\/(?:@[^/]+\/)?[^/"]+)\//gm

/** @returns packages in a bundle whose licences are missing in the file beside it */
export function findLegalFaults(bundle: string, legal: string): string[] {
  const headings = new Set(legal.split('\n'))
  const folders = new Set([...bundle.matchAll(origin)].map(([, folder = '']) => folder))
  if (folders.size === 0) return ['The bundle does not name the files from which it was made.']
  // The bundle contains redoc's script as a text, so the bundler names none of its files.
  const headingsOfPage = [readHeading(pageFolder), ...readPageNames().map(headingInPage)]
  const needed = new Set([...[...folders].map(readHeading), ...headingsOfPage])
  return [...needed]
    .filter((heading) => !headings.has(heading))
    .map((heading) => `The licence of ${heading} is missing in LEGAL.txt. Run \`npm run build\`.`)
}

function readHeading(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return headingOf(name, version)
}

interface Description {
  readonly name: string
  readonly version: string
  readonly files: readonly string[]
  readonly [key: string]: unknown
}

/**
 * The fields of package.json that users need. Dependencies are left out, because the program
 * contains them.
 */
const published = [
  ...['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports', 'files'],
]

/** Makes the npm package after a build. @returns the path of the package */
export function packProgram(root: string, destination: string): string {
  const description: Description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'coopshare-'))
  try {
    for (const path of [...description.files, 'README.md', 'LICENSE'])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    const kept = Object.fromEntries(published.map((key) => [key, description[key]]))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(kept, null, 2)}\n`)
    mkdirSync(destination, { recursive: true })
    const argv = ['pack', '--silent', '--pack-destination', destination]
    execFileSync('npm', argv, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  } finally {
    rmSync(folder, { recursive: true })
  }
  return join(destination, `${description.name}-${description.version}.tgz`)
}

interface Component {
  readonly 'bom-ref': string
  readonly [key: string]: unknown
}

interface Dependency {
  readonly ref: string
  readonly dependsOn: readonly string[]
}

interface Bill {
  readonly metadata: { readonly component: Component; readonly [key: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly Dependency[]
}

interface PackageDescription {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The program contains redoc in the reference page, although it imports no module of redoc. */
const alsoInside = ['redoc']

/**
 * Renders the bill of materials (CycloneDX) of a release: the packages in the lock file, and Node.
 * The same sources give the same bill.
 */
export function renderBill(description: PackageDescription): string {
  const { name, version, dependencies, devDependencies } = description
  const versions = { ...devDependencies, ...dependencies }
  const direct = [...Object.keys(dependencies), ...alsoInside].map(
    (key) => `${key}@${versions[key]}`,
  )
  const { metadata, components, dependencies: edges, ...rest } = readBillOfLock()
  const inside = reachable(direct, edges)
  const own = `${name}@${version}`
  const bill = {
    ...rest,
    metadata: { ...metadata, component: { ...metadata.component, type: 'application', name } },
    components: [...components.filter((each) => inside.has(each['bom-ref'])).map(asPart), node],
    dependencies: [
      { ref: own, dependsOn: [...direct, node['bom-ref']] },
      ...edges.filter(({ ref }) => inside.has(ref)),
      { ref: node['bom-ref'], dependsOn: [] },
    ],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

const node = {
  'bom-ref': `node@${pinnedNodeVersion}`,
  type: 'platform',
  name: 'node',
  version: pinnedNodeVersion,
  scope: 'required',
  purl: `pkg:generic/node@${pinnedNodeVersion}`,
}

/** Reads the bill that npm makes, without the parts that differ each time. */
function readBillOfLock(): Bill {
  const argv = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const text = execFileSync('npm', argv, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const bill = JSON.parse(text)
  delete bill.serialNumber
  delete bill.metadata.timestamp
  return bill
}

function reachable(from: readonly string[], edges: readonly Dependency[]): ReadonlySet<string> {
  const next = new Map(edges.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const seen = new Set(from)
  // The loop also visits items that are added to the set meanwhile.
  for (const ref of seen) for (const each of next.get(ref) ?? []) seen.add(each)
  return seen
}

/**
 * Leaves out whether a package is for development, because that makes no difference in a single
 * file.
 */
function asPart({ properties: _, ...component }: Component): Component {
  return { ...component, scope: 'required' }
}
