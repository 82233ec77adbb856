import type { Failure, Struct } from 'superstruct'
import type { DeepPartial } from '../../domain/deep-partial.ts'
import { type FieldErrors, Problem } from '../../domain/problem.ts'
import { checkShape, describeFailure, OversizeProblem, validParts } from '../../wire/check-shape.ts'
import type { LocatedDocument, Path } from './located-document.ts'
import { fileProblem } from './read-file.ts'

export interface Fault {
  readonly path: Path
  /** Completes a sentence that starts with the path. */
  readonly fault: string
}

// Nobody reads a path of 64 levels.
const enoughOfPath = 3
const unlimited = Number.POSITIVE_INFINITY

/**
 * All faults are listed, because checking a local file keeps nobody else waiting. `findFaults` checks the parts that fit
 * the shape.
 */
export function findShapeFaults<Value, Schema>(
  value: unknown,
  shape: Struct<Value, Schema>,
  findFaults?: (parts: DeepPartial<Value>) => FieldErrors,
): Fault[] {
  try {
    const [failures = []] = checkShape(value, shape, unlimited)
    const further = findFaults?.(validParts<Value>(value, failures, unlimited)) ?? {}
    return [...failures.map(faultOf), ...Object.entries(further).map(furtherFault)]
  } catch (error) {
    // superstruct copies a refused text into its message, which can exceed the longest string of V8.
    if (error instanceof RangeError)
      return [{ path: [], fault: 'contains a text that is too long' }]
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

export function renderFaults(document: LocatedDocument, faults: readonly Fault[]): string[] {
  const located = faults.map((fault) => ({ fault, line: document.lineOf(fault.path) }))
  const inOrder = located.toSorted((left, right) => left.line - right.line)
  return inOrder.map(({ fault }) => renderFault(document, fault))
}

/** For example `demo.yaml:40: organizations[0].clients[1].scops: unknown key`. */
function renderFault(document: LocatedDocument, { path, fault }: Fault): string {
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

/** A key that is not a name can contain data: `{iban:DE89}` without a space is one key. */
function renderKey(key: string): string {
  const [name = ''] = /^[a-z_<-](?:[a-z_<-]|\d(?!\d\d)){0,39}(?=:|$)/i.exec(key) ?? []
  return name === key ? key : `${name}…`
}

/** @param path as the service writes it: `organizations.0.name` */
export function parsePath(path: string): Path {
  return path.split('.').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
}

export interface Origin {
  readonly document: LocatedDocument
  readonly path: Path
}

/** Adds files and lines to a refusal; returns any other error unchanged. */
export function explainRefusal(
  error: unknown,
  originOf: (path: Path) => Origin | undefined,
): unknown {
  if (!(error instanceof Problem) || !error.extra.errors) return error
  const faults = Object.entries(error.extra.errors)
  const lines = faults.map(([path, fault]) => {
    const origin = originOf(parsePath(path))
    return origin ? renderFault(origin.document, { path: origin.path, fault }) : `${path} ${fault}`
  })
  // The message would only repeat the paths of the lines.
  const isSaid =
    error.code === 'VALIDATION_ERROR' || faults.some(([, fault]) => fault === error.message)
  return fileProblem(isSaid ? lines : [error.message, ...lines], error.code)
}
