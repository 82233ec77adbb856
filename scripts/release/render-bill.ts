import { execFileSync } from 'node:child_process'
import { pinnedNodeVersion } from '../pinned-node.ts'

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

interface Description {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** Its page is in the program, though it is none of its modules. */
const alsoInside = ['redoc']

/** The bill of materials (CycloneDX) of what is released: packages of the lock file that are in it, and node. The same sources make the same bill. */
export function renderBill(description: Description): string {
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

/** Without what would be another one each time. */
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
  // A set goes on with what is added to it on the way.
  for (const ref of seen) for (const each of next.get(ref) ?? []) seen.add(each)
  return seen
}

/** Whether a package is needed to develop or to run is no difference in one file. */
function asPart({ properties: _, ...component }: Component): Component {
  return { ...component, scope: 'required' }
}
