import { execFileSync } from 'node:child_process'
import { pinnedNodeVersion } from '../build/pinned-node.ts'

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

/** What is in the reference page and in the client, although the program imports none of it. */
const alsoInside = ['openapi-explorer', 'openapi-fetch']

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
