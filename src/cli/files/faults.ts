import type { Failure, Struct } from 'superstruct'
import type { Parts } from '../../domain/parts.ts'
import type { FieldErrors } from '../../domain/problem.ts'
import { checkShape, OversizeProblem } from '../../operations/shapes/check-shape.ts'
import { describeFailure } from '../../operations/shapes/describe-failure.ts'
import { soundParts } from '../../operations/shapes/sound-parts.ts'
import type { LocatedDocument, Path } from './located-document.ts'

export interface Fault {
  readonly path: Path
  /** The end of a sentence about the path. */
  readonly fault: string
}

// One of 64 levels is a line that nobody reads.
const enoughOfPath = 3
const unlimited = Number.POSITIVE_INFINITY

/**
 * All that does not fit the shape, and what `findFaults` says about the parts that do: a file of one's own keeps nobody
 * else waiting.
 */
export function findShapeFaults<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  findFaults?: (parts: Parts<Value>) => FieldErrors,
): Fault[] {
  try {
    const [failures = []] = checkShape(value, shape, unlimited)
    const further = findFaults?.(soundParts<Value>(value, failures, unlimited)) ?? {}
    return [...failures.map(faultOf), ...Object.entries(further).map(furtherFault)]
  } catch (error) {
    // superstruct writes each text that it refuses into a message, which no text may be long enough for.
    if (error instanceof RangeError) return [{ path: [], fault: 'has too long a text in it' }]
    if (!(error instanceof OversizeProblem)) throw error
    return [{ path: error.path.slice(0, enoughOfPath), fault: error.fault }]
  }
}

function furtherFault([path, fault]: [string, string]): Fault {
  return { path: parsePath(path), fault }
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
