import { format } from 'node:util'
import { Command, Parser, ux } from '@oclif/core'
import { type ServeFlags, serveFlags } from '../config/serve-flags.ts'
import { type Config, createConfig } from '../config.ts'
import { exitCodeOf } from './exit-codes.ts'
import { explainStoreFailure, explainSystemError } from './explain-system-error.ts'
import { describeError, isForPeople, renderError } from './render-error.ts'
import { suggestFlags } from './suggest-flags.ts'

/** What all commands have in common: their settings, `--json`, and how they fail. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true
  /** Once it is known. */
  #dataDirectory: string | undefined

  /** Under `--json` stdout belongs to the data: what people read goes to stderr. */
  override log(message = '', ...rest: unknown[]): void {
    if (this.jsonEnabled()) this.tell(format(message, ...rest))
    else super.log(message, ...rest)
  }

  /**
   * The data itself in a form for people; a function where it takes long to make. Nothing under `--json`: what is secret
   * in it would end up in the log of a script.
   */
  protected show(text: string | (() => string) = ''): void {
    if (!this.jsonEnabled()) super.log(typeof text === 'string' ? text : text())
  }

  /** For people only, never part of the data. */
  protected tell(message: string): void {
    ux.stderr(message)
  }

  /** The settings of `serve` that a command does not take as flags come from their variables. */
  protected async readConfig(flags: Partial<ServeFlags>): Promise<Config> {
    const { flags: defaults } = await Parser.parse([], { flags: serveFlags })
    const config = createConfig(
      { ...(defaults as ServeFlags), ...flags },
      { defaultDataDirectory: this.config.dataDir, variables: process.env },
    )
    this.#dataDirectory = config.dataDirectory
    return config
  }

  /** Plainly, and not as oclif does: it breaks lines wherever the terminal ends, in the middle of an id or a path. */
  protected override async catch(thrown: Error): Promise<void> {
    const dataDirectory = this.#dataDirectory
    const failure = explainStoreFailure(thrown, dataDirectory) as Error
    const error = suggestFlags(
      explainSystemError(failure, { dataDirectory, argv: this.argv }),
      Object.keys({ ...this.ctor.flags }),
    )
    const exit = exitCodeOf(error)
    process.exitCode = exit
    if (this.jsonEnabled()) return this.logJson(this.toErrorJson(error))
    if (!isForPeople(error)) throw error
    this.tell(`Error: ${describeError(error)}`)
    this.exit(exit)
  }

  protected override toErrorJson(error: unknown) {
    return { error: renderError(error) }
  }
}
