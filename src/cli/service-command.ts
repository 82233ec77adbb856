import { Flags } from '@oclif/core'
import { invalid } from '../config/invalid.ts'
import { type GlobalFlags, globalFlags } from '../config/serve-flags.ts'
import { BaseCommand } from './base-command.ts'
import type { Connection } from './connection.ts'

const remoteFlags = {
  ...globalFlags,
  'operator-url': Flags.url({
    env: 'COOPSHARE_OPERATOR_URL',
    helpGroup: 'GLOBAL',
    helpValue: 'URL',
    parse: async (text) => parseOperatorUrl(text),
    description: 'Operator endpoint of a service elsewhere, with COOPSHARE_OPERATOR_TOKEN.',
  }),
}

function parseOperatorUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw invalid('--operator-url has to be an http or https address.')
}

export interface ConnectionFlags extends GlobalFlags {
  'operator-url'?: URL | undefined
}

/** A command that does its work on the service, running or not. */
export abstract class ServiceCommand extends BaseCommand {
  static override baseFlags = remoteFlags
  /** Most have nothing to do in a new store: where there is none, they were told the wrong place. */
  protected readonly mayBeginStore: boolean = false
  #connection: Connection | undefined

  protected async connect(flags: ConnectionFlags): Promise<Connection> {
    // Everything heavy is behind this import, so that --help and wrong usage answer at once.
    const { connect } = await import('./connect.ts')
    this.#connection = await connect(await this.connectOptions(flags))
    return this.#connection
  }

  protected async connectOptions({ 'operator-url': url, ...flags }: ConnectionFlags) {
    const config = await this.readConfig(flags)
    const mayBegin = this.mayBeginStore
    return { operatorUrl: url?.href.replace(/\/+$/, ''), config, mayBegin }
  }

  protected override async finally(): Promise<void> {
    await this.#connection?.close()
  }
}
