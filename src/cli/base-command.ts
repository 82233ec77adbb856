import { format } from 'node:util'
import { Command, Parser } from '@oclif/core'
import { type ServeFlags, serveFlags } from '../config/serve-flags.ts'
import { type Config, createConfig } from '../config.ts'
import { exitCodeOf } from './exit-codes.ts'
import { explainStoreFailure, explainSystemError } from './explain-system-error.ts'
import { isOutputRead } from './lost-output.ts'
import { printError, printJson, printOut } from './print.ts'
import { describeError, isForPeople, renderError } from './render-error.ts'
import { suggestFlags } from './suggest-flags.ts'

/** What all commands have in common: their settings, `--json`, and how they fail. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true
  /** Once it is known. */
  #dataDirectory: string | undefined
  #hasBegunData = false

  /** Under `--json` stdout belongs to the data: what people read goes to stderr. */
  override log(message = '', ...rest: unknown[]): void {
    const text = format(message, ...rest)
    if (this.jsonEnabled()) this.tell(text)
    else printOut(text)
  }

  /**
   * The data itself in a form for people; a function where it takes long to make. Nothing under `--json`: what is secret
   * in it would end up in the log of a script.
   */
  protected show(text: string | (() => string) = ''): void {
    if (!this.jsonEnabled()) printOut(typeof text === 'string' ? text : text())
  }

  /** The data in parts, as they come, each in a form for people or as JSON. It ends when nobody reads it any more. */
  protected async showInParts(parts: AsyncIterable<string>): Promise<void> {
    for await (const part of parts) {
      printOut(part)
      this.#hasBegunData = true
      if (!(await isOutputRead())) return
    }
  }

  /** For people only, never part of the data. */
  protected tell(message: string): void {
    printError(message)
  }

  override logJson(json: unknown): void {
    printJson(json, 'pretty')
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
    // Behind a part of the data, an error would be neither.
    if (this.jsonEnabled() && !this.#hasBegunData) {
      this.logJson(this.toErrorJson(error))
      return this.noteError(error)
    }
    if (!isForPeople(error)) throw error
    this.tellError(error)
    this.exit(exit)
  }

  protected tellError(error: Error): void {
    this.tell(`Error: ${describeError(error)}`)
  }

  /** Beside what stdout says under `--json`. */
  protected noteError(_error: Error): void {}

  protected override toErrorJson(error: unknown) {
    return { error: renderError(error) }
  }
}
