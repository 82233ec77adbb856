// Changes valid input a little, because the first check refuses most input that is fully random.
import type { Dice } from '../dice.ts'

const texts: readonly string[] = [
  ...['', ' ', '\0', '\ufeff', '\ud800', '\u202eabc', 'é'.normalize('NFD'), '😀', '\u2028', '\r\n'],
  ...['__proto__', 'constructor', 'toString', 'null', 'true', 'NaN', '0x10', '1e3', '-0'],
  ...["' or 1=1 --", '<script>alert(1)</script>', '../../etc/passwd', '%00', '%zz'],
  ...['2026-02-30', '0000-00-00', '2026-11-02T25:61:61Z', '+275760-09-13T00:00:00Z', '9999-12-31'],
  ...['00000000-0000-0000-0000-000000000000', 'DE00000000000000000000', 'a@b', '-1', '0.001'],
]

const numbers: readonly number[] = [
  ...[0, -0, -1, 1.5, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 5e-324, 0.1 + 0.2],
]

export function oddText(dice: Dice): string {
  const text = dice.pick(texts) ?? ''
  return dice.chance(0.08) ? text.padEnd(dice.between(100, 20_000), text || 'a') : text
}

function oddValue(dice: Dice): unknown {
  const kind = dice.weigh({ text: 6, number: 4, null: 2, flag: 1, list: 1, object: 1, deep: 0.2 })
  if (kind === 'text') return oddText(dice)
  if (kind === 'number') return dice.pick(numbers)
  if (kind === 'null') return null
  if (kind === 'flag') return dice.chance(0.5)
  if (kind === 'list') return Array.from({ length: dice.below(4) }, () => oddText(dice))
  return kind === 'object' ? { [oddText(dice)]: oddText(dice) } : deep(dice.between(10, 3000))
}

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { value }
  return value
}

/** Returns a copy in which one value is changed, removed or has a new neighbour. */
export function mutateValue(dice: Dice, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || dice.chance(0.1)) return oddValue(dice)
  if (Array.isArray(value)) {
    const at = dice.below(value.length + 1)
    const way = dice.weigh({ change: 3, remove: 1, repeat: 1 })
    if (way === 'remove' || value.length === 0) return value.toSpliced(at, 1)
    if (way === 'repeat') return [...value, ...value]
    return value.with(Math.min(at, value.length - 1), mutateValue(dice, value[at])) as unknown
  }
  const entries = Object.entries(value)
  const at = dice.below(entries.length)
  const way = dice.weigh({ change: 6, remove: 2, add: 1 })
  const [name = oddText(dice), inner] = entries[at] ?? []
  if (way === 'remove') return Object.fromEntries(entries.toSpliced(at, 1))
  if (way === 'add') return { ...value, [oddText(dice)]: oddValue(dice) }
  return { ...value, [name]: mutateValue(dice, inner) }
}

/** Returns a copy in which some bytes are changed, removed or repeated. */
export function mutateBytes(dice: Dice, bytes: Uint8Array): Buffer {
  const at = dice.below(bytes.length + 1)
  const end = Math.min(bytes.length, at + (dice.chance(0.5) ? 1 : dice.below(200)))
  const [before, part, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, end),
    bytes.subarray(end),
  ]
  const way = dice.weigh({ flip: 4, cut: 2, remove: 2, insert: 2, repeat: 1, text: 2, zero: 1 })
  if (way === 'cut') return Buffer.from(before)
  if (way === 'remove') return Buffer.concat([before, after])
  if (way === 'repeat') return Buffer.concat([before, part, part, after])
  if (way === 'insert')
    return Buffer.concat([before, dice.fill(Buffer.alloc(dice.between(1, 9))), part, after])
  if (way === 'text') return Buffer.concat([before, Buffer.from(oddText(dice)), part, after])
  const changed = Buffer.from(bytes)
  if (way === 'zero') changed.fill(0, at, end)
  else if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ (1 << dice.below(8))
  return changed
}
