import { addedField, type ContractPreview } from '../../domain/bench/contract-preview.ts'

/** An answer that is in memory as a whole. */
export interface BufferedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

interface PreviewOptions {
  readonly preview: ContractPreview
  readonly operation: string | undefined
}

/** Only answers with data, so that errors, documents and keys stay as they are. */
const previewed =
  /^(read|list|find|provision|replace|place|cancel)(Client|Cooperatives?|Investor|Profile|SharePurchases?|Holdings)$/

/** Changes an answer as a later version of the contract could. */
export function previewAnswer(
  answer: BufferedAnswer,
  { preview, operation = '' }: PreviewOptions,
): BufferedAnswer {
  const isData = answer.headers.get('content-type')?.startsWith('application/json')
  if (!isData || answer.status >= 300 || !previewed.test(operation)) return answer
  const changed = changeValue(JSON.parse(answer.body.toString()), preview)
  const body = Buffer.from(JSON.stringify(changed))
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(body.length))
  return { ...answer, headers, body }
}

/** A value that the published enumeration does not have; cooperatives of these categories show it. */
const changedCategories: readonly unknown[] = ['chp', 'other']
const newCategory = 'tidal'

function changeValue(value: unknown, preview: ContractPreview): unknown {
  if (Array.isArray(value)) return value.map((item) => changeValue(item, preview))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, changeValue(inner, preview)])
  const changed: Record<string, unknown> = Object.fromEntries(entries)
  if (preview !== 'additive') return omit(changed, preview.removed)
  const isChanged = changedCategories.includes(changed['energy_category'])
  return { ...changed, ...(isChanged && { energy_category: newCategory }), ...addedField }
}

function omit(record: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}
