import { completeProfile } from '../../fixtures/builders/investors.ts'
import { fill, fillWith, type InputShape } from './input-shape.ts'

/** Returns JSON texts of this number of bytes, each expensive to read for another reason. */
export function jsonTexts(bytes: number): Readonly<Record<string, string>> {
  return {
    'a list of numbers': `[${fill('1', bytes, ',')}]`,
    'a list of lists': `[${fill('[]', bytes, ',')}]`,
    'a list of objects': `[${fill('{}', bytes, ',')}]`,
    'a list of texts': `[${fill('""', bytes, ',')}]`,
    'different keys': `{${fillWith((number) => `"${number.toString(36)}":1`, bytes)}}`,
    'one key again and again': `{${fill('"a":1', bytes, ',')}}`,
    'objects of 200 keys': `[${fill(`{${fillWith((number) => `"k${number}":1`, 1490)}}`, bytes, ',')}]`,
    'objects in objects': `[${fill(`${fill('{"a":', 60 * 5)}1${fill('}', 60)}`, bytes, ',')}]`,
    'too many levels': fill('[', bytes / 2) + fill(']', bytes / 2),
    'a number of many digits': fill('1', bytes),
    'numbers beyond all bounds': `[${fill('1e999', bytes, ',')}]`,
    'escaped characters': `"${fill('\\u0061', bytes)}"`,
    'control characters': `"${fill('\\u0000', bytes)}"`,
    'halves of surrogate pairs': `"${fill('\\ud800', bytes)}"`,
    'large characters': `"${fill('🌻', bytes)}"`,
    'combining characters': `"a${fill('\u0301', bytes)}"`,
    spaces: `"${fill(' ', bytes)}"`,
    digits: `"${fill('1', bytes)}"`,
  }
}

/** Returns a shape for each text in each place. `place` puts a JSON text into a body. */
export function shapesOf(
  request: Omit<InputShape, 'title' | 'body'>,
  places: Readonly<Record<string, (json: string) => string>>,
  bytes: number,
): InputShape[] {
  return Object.entries(places).flatMap(([name, place]) =>
    Object.entries(jsonTexts(bytes)).map(([title, json]) => ({
      ...request,
      title: `${name}: ${title}`,
      body: place(json),
    })),
  )
}

/** Returns a function that makes a valid body with a JSON text at this path. */
export function within(good: object, path: string): (json: string) => string {
  const hole = '"%HOLE%"'
  const [first = '', ...rest] = path.split('.').toReversed()
  const innermost: Record<string, unknown> = { [first]: '%HOLE%' }
  const change = rest.reduce((inner, key) => ({ [key]: inner }), innermost)
  const text = JSON.stringify(merge(good, change))
  return (json) => text.replace(hole, () => json)
}

function merge(left: object, right: object): object {
  const merged: Record<string, unknown> = { ...left }
  for (const [key, value] of Object.entries(right)) {
    const known = merged[key]
    const isInner = typeof value === 'object' && typeof known === 'object' && known !== null
    merged[key] = isInner ? merge(known, value) : value
  }
  return merged
}

export const profile = completeProfile()
