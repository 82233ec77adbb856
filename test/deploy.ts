import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { checkedOperatorFetch } from '../fixtures/contract/check-operator-answer.ts'
import { programCommand, serve } from '../fixtures/program/serve.ts'

const root = join(import.meta.dirname, '..')
/** Reads a page of docs/deploy. */
const pageOf = (name: string) => readFileSync(join(root, 'docs', 'deploy', name), 'utf8')

/** Finds all matches in the sources, each once. */
function findInSources(pattern: RegExp): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))
  return [...new Set(found)].sort()
}

/** Returns the first cell of each row in the table below a heading. */
function rowsBelow(page: string, heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^\| `(.+?)` \|/gm)].map(([, name = '']) => name).sort()
}

t.test('the systemd unit lets the service list network interfaces', (t) => {
  const unit = readFileSync(join(root, 'deploy', 'coopshare.service'), 'utf8')
  const [, families = ''] = /^RestrictAddressFamilies=(.+)$/m.exec(unit) ?? []
  t.strictSame(findInSources(/\b(networkInterfaces)\(/g), ['networkInterfaces'])
  // Node lists interfaces through netlink. Without netlink, a receiver with a silent name server
  // would count as a fault of the service and never use up its attempts.
  t.strictSame(families.split(' ').sort(), ['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX'])
  t.end()
})

t.test('no core dump is written, which would contain keys and personal data', (t) => {
  const unit = readFileSync(join(root, 'deploy', 'coopshare.service'), 'utf8')
  t.match(unit, /^LimitCORE=0$/m)
  t.match(pageOf('docker.md'), /docker run .*\\\n.* --ulimit core=0 /)
  t.end()
})

t.test('the image gives the volumes of docs/deploy/docker.md to its user', (t) => {
  const image = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8')
  const volumes = [...pageOf('docker.md').matchAll(/ -v [\w-]+:(\S+)/g)].map(
    ([, path = '']) => path,
  )
  t.equal(volumes.length, 2)
  for (const volume of volumes) {
    t.match(image, new RegExp(`^COPY .*--chown=10001:10001 .* ${volume}$`, 'm'), volume)
  }
  t.end()
})

/** Makes a command that runs a program with the variables of a file, as the page does. */
const withVariablesOf = (file: string) => ['sh', '-c', 'set -a; . "$0"; exec "$@"', file]

/**
 * Reads the metrics of the service and of its process. A row may stand for all metrics with the
 * same prefix.
 */
async function readMetrics(operatorUrl: string, token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await checkedOperatorFetch(`${operatorUrl}/metrics`, { headers })
  return [...(await answer.text()).matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
}

/** Reads the queries of the dashboard and of the alert rules. */
function queries(): [string, string][] {
  const dashboard = readFileSync(join(root, 'deploy', 'grafana-dashboard.json'), 'utf8')
  const { groups } = parse(readFileSync(join(root, 'deploy', 'alert-rules.yaml'), 'utf8'))
  const alerts: string[] = groups[0].rules.map(({ expr }: { expr: string }) => expr)
  const asked: string[] = JSON.parse(dashboard).panels.flatMap(
    ({ targets }: { targets: readonly { expr: string }[] }) => targets.map(({ expr }) => expr),
  )
  return [
    ...alerts.map((expr): [string, string] => ['alert', expr]),
    ...asked.map((expr): [string, string] => ['dashboard', expr]),
  ]
}

/**
 * Finds the metrics in a query, by the names that the service uses. Prometheus has more names, for
 * the parts of a histogram.
 */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:coopshare|process|nodejs)_\w+/g) ?? []
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
}

function isOf(row: string, metric: string): boolean {
  return row.endsWith('*') ? metric.startsWith(row.slice(0, -1)) : row === metric
}

t.test(
  'a service with the settings of docs/deploy/systemd.md has the metrics of docs/deploy/metrics.md, of its alerts and of the dashboard',
  async (t) => {
    const [, environment = ''] = /\n\n((?: {4}COOPSHARE_.+\n)+)/.exec(pageOf('systemd.md')) ?? []
    const lines = environment.trim().split(/\n */)
    for (const line of lines)
      t.match(line, /^[A-Z_]+='[^']*'$/, 'a shell and systemd read the same variables')
    const file = join(t.testdir({ environment: lines.join('\n') }), 'environment')
    const here = ['--data-dir', join(t.testdirName, 'data')]
    const token = randomBytes(32).toString('base64url')
    const variables = { COOPSHARE_METRICS_TOKEN: token, COOPSHARE_DRAIN: '0s' }
    const served = await serve(t, here, variables, [...withVariablesOf(file), ...programCommand])
    t.equal(served.base_url, 'https://partners.example', 'the service uses the settings')
    const metrics = await readMetrics(served.operator_url, token)
    t.ok(queries().length > 20, 'queries were found')
    const rows = rowsBelow(pageOf('metrics.md'), 'Metrics')
    for (const metric of metrics)
      t.ok(
        rows.some((row) => isOf(row, metric)),
        metric,
      )
    const own = [metrics, rows].map((names) => names.filter((name) => /^coopshare_/.test(name)))
    t.strictSame(own[1], own[0]?.sort(), 'each row is about an existing metric')
    for (const [where, text] of queries())
      for (const name of metricsIn(text)) t.ok(metrics.includes(name), `${where}: ${name}`)
    t.match(await served.stop(), { code: 0 })
  },
)
