// What a request and a write cost when few and when many orders are stored, in one run on one machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillStore } from '../fixtures/run-command.ts'
import { renderTable } from '../src/cli/table.ts'
import { fillOrders } from './fill-orders.ts'
import { measureRequests, measureWriters, percentile, type Subject } from './measure.ts'
import { runService } from './running-service.ts'

const { values } = parseArgs({
  options: {
    few: { type: 'string', default: '1000' },
    many: { type: 'string', default: '200000' },
  },
})

async function withSubject<Result>(
  root: string,
  orders: number,
  work: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const directory = join(root, String(orders))
  const seeded = await fillStore(directory, fillOrders(orders))
  const service = await runService(directory, seeded)
  try {
    return await work({ orders, seeded, service })
  } finally {
    await service.stop()
  }
}

async function compare(few: Subject, many: Subject): Promise<void> {
  console.log(
    renderTable([few, many], {
      'orders stored': ({ orders }) => orders,
      'ready after': ({ service }) => `${service.startedInMs.toFixed(0)} ms`,
      'resident memory': ({ service }) => `${service.residentMegabytes.toFixed(0)} MB`,
    }),
  )
  const rows = await measureRequests(few, many)
  console.log()
  console.log(
    renderTable(rows, {
      'one request at a time': ({ name }) => name,
      [`median of ${few.orders}`]: ({ taken }) => percentile(taken.few, 0.5),
      [`median of ${many.orders}`]: ({ taken }) => percentile(taken.many, 0.5),
      [`99 % of ${few.orders}`]: ({ taken }) => percentile(taken.few, 0.99),
      [`99 % of ${many.orders}`]: ({ taken }) => percentile(taken.many, 0.99),
    }),
  )
  const writers = [await measureWriters(few), await measureWriters(many)]
  console.log()
  console.log(
    renderTable(writers, {
      'orders stored': ({ orders }) => orders,
      'placed by 50 writers': ({ perSecond }) => `${perSecond.toFixed(0)} orders/s`,
    }),
  )
}

const root = await mkdtemp(join(tmpdir(), 'coopshare-bench-'))
try {
  await withSubject(root, Number(values.few), (few) =>
    withSubject(root, Number(values.many), (many) => compare(few, many)),
  )
} finally {
  await rm(root, { recursive: true, force: true })
}
