import type { Failure } from 'superstruct'
import type { Parts } from '../../domain/parts.ts'
import { mostFailures } from './check-shape.ts'

interface Spot {
  isUnfit: boolean
  readonly inner: Map<PropertyKey, Spot>
}

/**
 * What is left of a value without all that did not fit its shape, which is undefined there. Where the search for failures
 * ended at `most` of them, nothing is known to be sound.
 */
export function soundParts<Value>(
  value: unknown,
  failures: readonly Failure[],
  most = mostFailures,
): Parts<Value> {
  if (failures.length >= most) return {} as Parts<Value>
  const root = newSpot()
  for (const failure of failures) markUnfit(root, failure)
  return (without(value, root) ?? {}) as Parts<Value>
}

function newSpot(): Spot {
  return { isUnfit: false, inner: new Map() }
}

function markUnfit(root: Spot, { path, refinement, value }: Failure): void {
  // A rule about several members leaves each of them as sound as it was.
  if (refinement !== undefined && typeof value === 'object') return
  let spot = root
  for (const key of path) {
    const next = spot.inner.get(key) ?? newSpot()
    spot.inner.set(key, next)
    spot = next
  }
  spot.isUnfit = true
}

// A copy, because an alias of YAML can have one object in several places.
function without(value: unknown, { isUnfit, inner }: Spot): unknown {
  if (isUnfit) return undefined
  if (typeof value !== 'object' || value === null || inner.size === 0) return value
  const copy = Array.isArray(value) ? [...value] : { ...value }
  for (const [key, spot] of inner) Reflect.set(copy, key, without(Reflect.get(value, key), spot))
  return copy
}
