import type { Failure, Struct } from 'superstruct'
import { checkShape, TooDeepProblem, tooDeep } from '../../operations/shapes/check-shape.ts'
import { describeFailure } from '../../operations/shapes/describe-failure.ts'
import { listFailures } from '../../operations/shapes/list-failures.ts'
import type { LocatedDocument, Path } from './located-document.ts'

export interface Fault {
  readonly path: Path
  /** The end of a sentence about the path. */
  readonly fault: string
}

// One of 64 levels is a line that nobody reads.
const enoughOfPath = 3

/** All that does not fit the shape. */
export function findShapeFaults<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
): Fault[] {
  try {
    const [error] = checkShape(value, shape)
    return error ? listFailures(error).map(faultOf) : []
  } catch (error) {
    // superstruct writes each value that it refuses into a message, which no text may be long enough for.
    if (error instanceof RangeError) return [{ path: [], fault: 'has too long a text in it' }]
    if (!(error instanceof TooDeepProblem)) throw error
    return [{ path: error.path.slice(0, enoughOfPath), fault: tooDeep }]
  }
}

function faultOf(failure: Failure): Fault {
  const fault = failure.type === 'never' ? 'unknown key' : describeFailure(failure)
  return { path: failure.path, fault }
}

/** In the order of the file, whoever found them. */
export function renderFaults(document: LocatedDocument, faults: readonly Fault[]): string[] {
  const located = faults.map((fault) => ({ fault, line: document.lineOf(fault.path) }))
  const inOrder = located.toSorted((left, right) => left.line - right.line)
  return inOrder.map(({ fault }) => renderFault(document, fault))
}

/** demo.yaml:40: organizations[0].clients[1].scops: unknown key */
export function renderFault(document: LocatedDocument, { path, fault }: Fault): string {
  const place = `${document.file}:${document.lineOf(path)}`
  return path.length === 0 ? `${place}: ${fault}` : `${place}: ${renderPath(path)}: ${fault}`
}

function renderPath(path: Path): string {
  return path
    .map((segment) =>
      /^\d+$/.test(String(segment)) ? `[${String(segment)}]` : `.${renderKey(String(segment))}`,
    )
    .join('')
    .replace(/^\./, '')
}

/** What is no name has data in it: of `{iban:DE89}` the space is missing, and all of it is a key. */
function renderKey(key: string): string {
  const [name = ''] = /^[a-z_<-](?:[a-z_<-]|\d(?!\d\d)){0,39}(?=:|$)/i.exec(key) ?? []
  return name === key ? key : `${name}…`
}

/** `organizations.0.name`, as the service names what it refuses. */
export function parsePath(path: string): Path {
  return path.split('.').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
}
