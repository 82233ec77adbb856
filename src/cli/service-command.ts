import { Flags } from '@oclif/core'
import { parseServiceUrl } from '../config/http-url.ts'
import { type GlobalFlags, globalFlags } from '../config/serve-flags.ts'
import { BaseCommand } from './base-command.ts'
import type { Connection } from './connection.ts'
import type { Columns } from './table.ts'

const remoteFlags = {
  ...globalFlags,
  'operator-url': Flags.string({
    env: 'COOPSHARE_OPERATOR_URL',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
    parse: async (text) => parseServiceUrl('operator-url', text),
    description: 'Operator endpoint of a service elsewhere, with COOPSHARE_OPERATOR_TOKEN.',
  }),
}

export interface ConnectionFlags extends GlobalFlags {
  'operator-url'?: string | undefined
}

/** A command that does its work on the service, running or not. */
export abstract class ServiceCommand extends BaseCommand {
  static override baseFlags = remoteFlags
  /** Most have nothing to do in a new store: where there is none, they were told the wrong place. */
  protected mayBeginStore: boolean = false
  #connection: Connection | undefined

  protected async connect(flags: ConnectionFlags): Promise<Connection> {
    // Everything heavy is behind this import, so that --help and wrong usage answer at once.
    const { connect } = await import('./connect.ts')
    this.#connection = await connect(await this.connectOptions(flags))
    return this.#connection
  }

  /** A list as it comes: a table for people, or the whole rows with --json. */
  protected async showList<Row>(
    batches: AsyncIterable<readonly Row[]>,
    columns: Columns<Row>,
  ): Promise<void> {
    const { renderTableInParts } = await import('./table.ts')
    const { renderJsonInParts } = await import('./render-json-in-parts.ts')
    await this.showInParts(
      this.jsonEnabled() ? renderJsonInParts(batches) : renderTableInParts(batches, columns),
    )
  }

  protected async connectOptions({ 'operator-url': operatorUrl, ...flags }: ConnectionFlags) {
    const config = await this.readConfig(flags)
    const mayBegin = this.mayBeginStore
    return { operatorUrl, config, mayBegin }
  }

  protected override async finally(): Promise<void> {
    await this.#connection?.close()
  }
}
