import type postgres from 'postgres'

export type Value = string | number | boolean | null

export interface Statement {
  readonly text: string
  readonly values: readonly Value[]
}

/** Text is the same for all callers, so each connection prepares it once. What comes back, the asker knows. */
export type Ask = <Row>(text: string, values?: readonly Value[]) => Promise<readonly Row[]>

export async function run<Row>(
  sql: Pick<postgres.Sql, 'unsafe'>,
  text: string,
  values: readonly Value[] = [],
): Promise<readonly Row[]> {
  const options = { prepare: true, simple: false }
  return (await sql.unsafe(text, [...values], options)) as unknown as readonly Row[]
}

/** For `$1::text::text[]`. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

const numbers = new Map<string, number>()

/**
 * A short name of a statement; no text has a NUL in it. Texts are long, few, and the same objects each time, so that
 * their hash is known; a text that was just put together would be read through for each look into a map.
 */
export function nameOf({ text, values }: Statement): string {
  return `${numberOf(text)} ${values.join('\0')}`
}

export function numberOf(text: string): number {
  const number = numbers.get(text) ?? numbers.size
  if (number === numbers.size) numbers.set(text, number)
  return number
}
