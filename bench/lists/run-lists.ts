import { join } from 'node:path'
import { renderTable } from '../../src/cli/table.ts'
import { fillOrders } from '../fill-orders.ts'
import { fillStore } from '../fill-store.ts'
import { peakResidentBytesOf } from '../process-tree.ts'
import { watchReadiness } from '../readiness.ts'
import { startCoopshare } from '../service.ts'
import { type Run, runCommand } from './run-command.ts'

const maximumReadyMs = 100

const commands: readonly (readonly string[])[] = [
  ['purchase', 'list'],
  ['purchase', 'list', '--json'],
  ['fixtures', 'export'],
  ['fixtures', 'export', '--json'],
]

interface Row extends Run {
  readonly command: string
  /** undefined if no service runs. */
  readonly slowestReadyMs: number | undefined
  readonly serviceMegabytes: number | undefined
}

interface Lists {
  readonly directory: string
  readonly orders: number
}

/** Returns the limits that did not hold. */
export async function runLists({ directory, orders }: Lists): Promise<readonly string[]> {
  const data = join(directory, 'data')
  const seeded = await fillStore(data, fillOrders(orders))
  const rows: Row[] = []
  for (const lines of [2, undefined])
    rows.push(await withoutService(data, ['purchase', 'list'], lines))
  const client = { client_id: seeded.clientId, client_secret: seeded.clientSecret }
  const service = await startCoopshare({ directory: data, client })
  const idleMegabytes = peakResidentBytesOf(service.pid) / 1e6
  try {
    for (const command of commands) {
      for (const lines of [2, undefined]) {
        const { result: run, slowestReadyMs } = await watchReadiness(service.origin, () =>
          runCommand(data, command, lines),
        )
        const serviceMegabytes = peakResidentBytesOf(service.pid) / 1e6
        rows.push({ ...run, command: nameOf(command, lines), slowestReadyMs, serviceMegabytes })
      }
    }
  } finally {
    await service.stop()
  }
  console.log(
    `With ${orders} orders, the service used ${idleMegabytes.toFixed(0)} MB of memory before the lists.\n`,
  )
  console.log(render(rows))
  return rows
    .filter(({ slowestReadyMs = 0 }) => slowestReadyMs > maximumReadyMs)
    .map(
      ({ command, slowestReadyMs = 0 }) =>
        `${command}: a readiness answer took ${slowestReadyMs.toFixed(0)} ms.`,
    )
}

async function withoutService(
  data: string,
  command: readonly string[],
  lines: number | undefined,
): Promise<Row> {
  const run = await runCommand(data, command, lines)
  const name = `${nameOf(command, lines)}, no service`
  return { ...run, command: name, slowestReadyMs: undefined, serviceMegabytes: undefined }
}

function nameOf(command: readonly string[], lines: number | undefined): string {
  return `${command.join(' ')}${lines === undefined ? '' : ` | head -${lines}`}`
}

function render(rows: readonly Row[]): string {
  return renderTable(rows, {
    COMMAND: ({ command }) => command,
    'FIRST LINE MS': ({ firstLineMs }) => firstLineMs.toFixed(0),
    'END MS': ({ endMs }) => endMs.toFixed(0),
    LINES: ({ lines }) => lines,
    'COMMAND MB': ({ megabytes }) => megabytes.toFixed(0),
    'SERVICE MB': ({ serviceMegabytes }) => serviceMegabytes?.toFixed(0),
    'SLOWEST READY MS': ({ slowestReadyMs }) => slowestReadyMs?.toFixed(0),
  })
}
