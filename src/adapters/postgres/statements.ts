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
  return `{${texts.map((text) => JSON.stringify(text)).join(',')}}`
}
