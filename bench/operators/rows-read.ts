import postgres from 'postgres'
import type { Statement } from '../../fixtures/postgres/protocol.ts'
import { openSniffingProxy, type SniffingProxy } from '../../fixtures/postgres/sniffing-proxy.ts'

/** A node of an executed plan, as EXPLAIN ANALYZE shows it. */
interface RunNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly RunNode[]
}

/** The same settings as the program uses for its connections. */
const settings = {
  enable_seqscan: 'off',
  enable_sort: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
} as const
/** Tables with fewer rows can be read completely at no cost. */
const fewRows = 1000

/** Records the statements of a service, and runs each again to count the rows that it reads. */
export class RowsRead {
  readonly #proxy: SniffingProxy
  readonly #sql: postgres.Sql
  readonly #close: () => void

  private constructor(proxy: SniffingProxy, sql: postgres.Sql, close: () => void) {
    this.#proxy = proxy
    this.#sql = sql
    this.#close = close
  }

  static async open(databaseUrl: string): Promise<RowsRead> {
    let close = () => {}
    const owner = { teardown: (end: () => void) => (close = end) }
    const proxy = await openSniffingProxy(owner, databaseUrl)
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {}, connection: settings })
    return new RowsRead(proxy, sql, close)
  }

  get url(): string {
    return this.#proxy.url
  }

  forget(): void {
    this.#proxy.take()
  }

  /**
   * Counts the rows that the last statements have read from tables and indexes, and lists the
   * tables that they have read completely.
   */
  async count(): Promise<{ readonly rows: number; readonly scans: readonly string[] }> {
    const nodes: RunNode[] = []
    for (const said of this.#proxy.take()) {
      // `commit_works` is left out, because it would store everything again.
      if (/^select\b/.test(said.text) && !said.text.includes('commit_works'))
        nodes.push(...nodesOf(await this.#run(said)))
    }
    const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && rowsOf(node) > fewRows)
    return {
      rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
      scans: scans.map((node) => `all of ${node['Relation Name']} was read`),
    }
  }

  async stop(): Promise<void> {
    this.#close()
    await this.#sql.end()
  }

  async #run({ text, values }: Statement): Promise<RunNode> {
    await this.#sql.unsafe(`prepare explained as ${text}`)
    try {
      const given = values.map((value) =>
        value === null ? 'null' : `'${value.replaceAll("'", "''")}'`,
      )
      const call = given.length > 0 ? `explained(${given.join(', ')})` : 'explained'
      const [row] = await this.#sql.unsafe(
        `explain (analyze, timing off, format json) execute ${call}`,
      )
      return row?.['QUERY PLAN'][0].Plan
    } finally {
      await this.#sql.unsafe('deallocate explained')
    }
  }
}

function* nodesOf(node: RunNode): Generator<RunNode> {
  yield node
  for (const part of node.Plans ?? []) yield* nodesOf(part)
}

/**
 * Returns the rows that a scan has read, including those that its filter left out. The entries of a
 * bitmap do not count, because only the rows that are read with the bitmap cost something.
 */
function rowsOf(node: RunNode): number {
  const isScan = node['Relation Name'] !== undefined || node['Index Name'] !== undefined
  if (!isScan || node['Node Type'] === 'Bitmap Index Scan') return 0
  const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round((node['Actual Rows'] + left) * node['Actual Loops'])
}
