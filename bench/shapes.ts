// `npm run bench:shapes -- [--only WORDS]` measures the CPU time of requests with hostile input of
// the maximum size, and compares each with a plain request of the same size. The exit code is 1 if
// hostile input costs more than ten times as much.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { renderTable } from '../src/cli/table.ts'
import { readArguments } from './arguments.ts'
import { build } from './build.ts'
import { startCoopshare } from './service.ts'
import { refOf } from './set-up.ts'
import { type Cost, costOf, localCostOf, longEffort } from './shapes/cost-of.ts'
import { listLocalGroups } from './shapes/local-shapes.ts'
import { listRequestShapes } from './shapes/request-shapes.ts'
import { withFolder } from './with-folder.ts'
import { exitCodeOf, GaveWay } from './wrong-answers.ts'

/** How many times the cost of the plain request is allowed. */
const maximumTimes = 10

interface Row extends Cost {
  readonly shape: string
  readonly times: number
}

interface Measured {
  readonly title: string
  readonly plain: Row
  readonly shapes: readonly Row[]
}

const only = readArguments(() => {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
  return values.only
})

build()
process.exit(
  await exitCodeOf(async () => {
    const measured = await withFolder(async (folder) => [
      ...(await measureLocal(folder)),
      ...(await measureRequests(folder)),
    ])
    console.log(`The most expensive shape of each group\n${renderDearest(measured)}`)
    const shapes = measured.flatMap(({ shapes: rows }) => rows).length
    console.log(`\n${shapes} shapes in ${measured.length} groups, ${secondsOf()} s.`)
    const faults = measured.flatMap(findFaults)
    if (faults.length > 0) throw new GaveWay(faults.join('\n'))
    console.log(
      `No shape costs more than ${maximumTimes} times as much as plain input of its size.`,
    )
  }),
)

function secondsOf(): number {
  return Math.round(performance.now() / 1000)
}

/** Measures input that commands read themselves. */
async function measureLocal(folder: string): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const { title, plain, inputs, read } of await listLocalGroups(folder)) {
    if (!title.includes(only)) continue
    const floor = await localCostOf(read, plain, longEffort)
    const shapes: Row[] = []
    for (const [shape, input] of Object.entries(inputs)) {
      shapes.push(rowOf(shape, await localCostOf(read, input), floor))
    }
    measured.push(show({ title, plain: rowOf('plain', floor, floor), shapes }))
  }
  return measured
}

/** Measures input that the service reads. */
async function measureRequests(folder: string): Promise<readonly Measured[]> {
  const directory = join(folder, 'data')
  const service = await startCoopshare({ directory, setUp: { investors: 1 } })
  try {
    const { investor_id: investorId } = await service.get(
      `/v1/investors?partner_customer_ref=${refOf(0)}`,
    )
    const { items } = await service.get('/v1/cooperatives')
    const { url, token } = JSON.parse(readFileSync(join(directory, 'control.json'), 'utf8'))
    const { pid, origin, headers } = service
    const partners = { pid, origin, authorization: headers.authorization }
    const operators = { pid, origin: url, authorization: `Bearer ${token}` }
    const measured: Measured[] = []
    for (const group of listRequestShapes({ investorId, cooperativeId: items[0].id })) {
      const { title, plain, isOperators, isAnonymous } = group
      if (!title.includes(only)) continue
      const target = isOperators ? operators : isAnonymous ? { pid, origin } : partners
      // The first run only warms up, because V8 has not compiled this code yet.
      await costOf(target, plain, longEffort)
      const floor = await costOf(target, plain, longEffort)
      const shapes: Row[] = []
      for (const shape of group.shapes) {
        const cost = await costOf(target, shape).catch((error: Error) => {
          throw new GaveWay(`${title}: ${shape.title}: ${error.message}`)
        })
        shapes.push(rowOf(shape.title, cost, floor))
      }
      measured.push(show({ title, plain: rowOf(`plain: ${plain.title}`, floor, floor), shapes }))
    }
    return measured
  } finally {
    await service.stop()
  }
}

function rowOf(shape: string, cost: Cost, floor: Cost): Row {
  return { shape, ...cost, times: cost.milliseconds / floor.milliseconds }
}

function show(measured: Measured): Measured {
  const { title, plain, shapes } = measured
  const rows = renderTable([plain, ...shapes], {
    shape: ({ shape }) => shape,
    status: ({ status }) => status ?? '',
    'CPU ms': ({ milliseconds }) => milliseconds.toFixed(2),
    times: ({ times }) => times.toFixed(1),
  })
  console.log(`${title}, after ${secondsOf()} s\n${rows}\n`)
  return measured
}

function renderDearest(measured: readonly Measured[]): string {
  const rows = measured.map(({ title, plain, shapes }) => {
    const [dearest = plain] = shapes.toSorted((left, right) => right.times - left.times)
    return { title, plain, dearest, count: shapes.length }
  })
  return renderTable(rows, {
    group: ({ title }) => title,
    shapes: ({ count }) => count,
    'plain, CPU ms': ({ plain }) => plain.milliseconds.toFixed(2),
    dearest: ({ dearest }) => dearest.shape,
    'CPU ms': ({ dearest }) => dearest.milliseconds.toFixed(2),
    times: ({ dearest }) => dearest.times.toFixed(1),
  })
}

/** If the service fails on a shape, its cost means nothing. */
function findFaults({ title, shapes }: Measured): readonly string[] {
  const tooDear = shapes.filter(({ times }) => times > maximumTimes)
  const failed = shapes.filter(({ status = 0 }) => status >= 500 || status === 429)
  return [
    ...tooDear.map(
      ({ shape }) =>
        `This costs more than ${maximumTimes} times as much as plain input: ${title}: ${shape}`,
    ),
    ...failed.map(({ shape, status }) => `Answered ${status}: ${title}: ${shape}`),
  ]
}
