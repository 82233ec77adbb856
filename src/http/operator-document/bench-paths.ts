import {
  type BenchCall,
  type BenchCallName,
  benchCallNames,
  benchCalls,
} from '../../wire/bench-calls.ts'
import type { JsonSchema } from '../../wire/json-schema.ts'
import { schemaOfShape } from '../../wire/schema-of-shape.ts'
import { definitionsOf } from '../../wire/view.ts'
import { type DocumentedPath, inPath, inQuery } from './documented-path.ts'
import { componentName } from './schemas.ts'

const calls: readonly BenchCall[] = benchCallNames.map((name) => benchCalls[name])

/** Bodies of requests, by name; they have no other fields. */
export const benchRequests: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  calls.flatMap(({ input }) => (input ? [[input.name, schemaOfShape(input.shape)]] : [])),
)

export const benchObjects = definitionsOf(calls.flatMap(({ answer }) => answer.views))

const stagingOnly = 'Staging only, with `serve --bench`.'
const problems = ['NOT_FOUND', 'BENCH_OFF', 'TESTING_AID_IN_PRODUCTION'] as const

/** Aids for partners who test against the service. */
export const benchPaths: readonly DocumentedPath[] = benchCallNames.map(pathOf)

function pathOf(name: BenchCallName): DocumentedPath {
  const {
    method,
    path,
    summary,
    note,
    place = {},
    query = {},
    ...call
  }: BenchCall = benchCalls[name]
  return {
    method: method === 'GET' ? 'get' : method === 'POST' ? 'post' : 'delete',
    path,
    operationId: name,
    tag: 'bench',
    summary,
    note: note === undefined ? stagingOnly : `${stagingOnly} ${note}`,
    access: 'operators',
    parameters: [
      ...Object.entries(place).map(([key, { description = '' }]) => inPath(key, description)),
      ...Object.entries(query).map(([key, { description = '', ...schema }]) =>
        inQuery(key, description, schema),
      ),
    ],
    ...(call.input && { request: componentName(call.input.name) }),
    answers: {
      [call.status ?? 200]: {
        description: call.answers ?? 'Done.',
        schema: call.answer.schema,
      },
    },
    problems: [...problems, ...(call.problems ?? [])],
  }
}
