import { Flags, type Interfaces } from '@oclif/core'
import { connectionGroup, parseServiceUrl } from '../config/common-flags.ts'
import { globalFlags } from '../config/serve-flags.ts'
import { Problem } from '../domain/problem.ts'
import { quoteWord } from '../domain/text.ts'
import type { Input, OperationName, Output } from '../operations/operations.ts'
import type { BenchAnswer, BenchCall, BenchCallName, BenchRequest } from '../wire/bench-calls.ts'
import { BaseCommand, type Printed, storeFlags } from './base-command.ts'
import type { Connection, RunningConnection } from './connection.ts'
import type { List, ListFlags } from './list-output.ts'
import { printOut, printTrusted } from './output.ts'

export const remoteFlags = {
  ...storeFlags,
  'operator-url': Flags.string({
    env: 'COOPSHARE_OPERATOR_URL',
    helpGroup: connectionGroup,
    helpValue: 'URL',
    parse: async (text) => parseServiceUrl('--operator-url', text),
    description: 'Operator endpoint of a service on this or another machine.',
  }),
  'operator-ca': Flags.string({
    env: 'COOPSHARE_OPERATOR_CA',
    helpGroup: connectionGroup,
    helpValue: 'FILE',
    description:
      'Certificate authority to trust at --operator-url (PEM). Default: public authorities.',
  }),
}

type ConnectionFlags = Partial<Interfaces.InferredFlags<typeof remoteFlags>>

/** The words of a line that say where the service is. */
export function connectionWordsOf(words: readonly string[]): string[] {
  const options = Object.entries(remoteFlags).filter(([, { type }]) => type === 'option')
  return options.flatMap(([name]) => {
    const at = words.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
    const word = words[at]
    if (word === undefined) return []
    const value = word === `--${name}` ? words[at + 1] : word.slice(`--${name}=`.length)
    return value === undefined
      ? []
      : [`--${name}=${value.replace(/^~(?=\/)/, process.env.HOME ?? '~')}`]
  })
}

/** The work is the same whether or not a service is running. */
export abstract class ServiceCommand<Json> extends BaseCommand<Json> {
  static override baseFlags = remoteFlags
  /** Most commands have nothing to do in a new store: if there is no store, the user named the wrong place. */
  protected mayBeginStore: boolean = false
  #connection: Connection | undefined

  protected async connect(flags: ConnectionFlags): Promise<Connection> {
    // Imported late, so that --help and wrong usage answer quickly.
    const { connect } = await import('./connect.ts')
    this.#connection = await connect(await this.connectOptions(flags))
    return this.#connection
  }

  /** `-o json` means `--json`, for errors, too. */
  override jsonEnabled(): boolean {
    return super.jsonEnabled() || (isList(this.ctor.flags ?? {}) && asksForJson(this.argv))
  }

  /** The list is printed as it arrives. Wrong flags are refused before `read` connects. */
  protected async showList(flags: ListFlags, list: List<RowOf<Json>>): Promise<void> {
    const { listFlags, requireListFlags, showList } = await import('./list-output.ts')
    const filters = filtersOf(flags, { ...listFlags, ...remoteFlags })
    const output = await requireListFlags(flags, () => this.output(), filters)
    await showList(output, list, {
      show: (parts, hasColors) => this.showInParts(parts, hasColors ? printTrusted : printOut),
      tell: (message) => this.tell(message),
      rest: async () => {
        await this.#connection?.close()
        this.#connection = undefined
      },
    })
  }

  protected async connectOptions({
    'operator-url': operatorUrl,
    'operator-ca': operatorCa,
    ...flags
  }: ConnectionFlags) {
    // Some flags of commands have the same names as settings, such as --now.
    const own = Object.entries(flags).filter(([name]) => Object.hasOwn(globalFlags, name))
    const config = await this.readConfig(Object.fromEntries(own))
    const mayBegin = this.mayBeginStore
    return { operatorUrl, operatorCa, config, mayBegin }
  }

  protected override async finally(): Promise<void> {
    await this.#connection?.close()
  }
}

/** The words of the flags that are not among the `others`. */
function filtersOf(flags: object, others: object): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (name in others || value === false) return []
    return value === true ? [`--${name}`] : [`--${name} ${quoteWord(String(value))}`]
  })
}

type RowOf<Json> = Json extends readonly (infer Row extends object)[] ? Row : never

/** A command that runs an operation and prints its answer. */
export function operationCommand<Name extends OperationName>(name: Name) {
  abstract class OperationCommand extends ServiceCommand<Output<Name>> {
    // Without a setting of its own, oclif would not see the settings that this class inherits.
    static override baseFlags = remoteFlags

    /** The command has the summary of this operation, unless it has one of its own. */
    get operation(): Name {
      return name
    }

    override async output(): Promise<Printed<Output<Name>>> {
      // Imported late, because it imports everything that an operator can do.
      const { describeOperation } = await import('../operations/operations.ts')
      return describeOperation(name).answer as Printed<Output<Name>>
    }

    /** Runs the operation. */
    protected async call(flags: ConnectionFlags, input: Input<Name>): Promise<Output<Name>> {
      return (await this.connect(flags)).call(name, input)
    }
  }
  return OperationCommand
}

function isList(flags: object): boolean {
  return 'output' in flags && 'columns' in flags
}

/** Errors of wrong usage are thrown before the flags are read. */
function asksForJson(argv: readonly string[]): boolean {
  return /(^| )(-o[ =]?|--output[ =])json( |$)/.test(argv.join(' '))
}

/** A command about what only a running service has. */
export abstract class RunningServiceCommand<Json> extends ServiceCommand<Json> {
  /** How to start the service that the command needs. */
  protected abstract readonly start: string

  protected async reach(flags: ConnectionFlags): Promise<RunningConnection> {
    const { findRunningService } = await import('./connect.ts')
    const service = await findRunningService(await this.connectOptions(flags))
    if (service) return service
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `No service is running on this data directory. Start one with \`${this.start}\`, or name it with --operator-url.`,
    )
  }
}

/** Commands of the bench need a running service, because its clock and its faults are in memory. */
abstract class BenchCommand<Json> extends RunningServiceCommand<Json> {
  protected override readonly start = 'coopshare serve --bench'
}

/** A command that calls the bench and prints its answer. */
export function benchCommand<Name extends BenchCallName>(name: Name) {
  abstract class BenchCallCommand extends BenchCommand<BenchAnswer<Name>> {
    override async output(): Promise<Printed<BenchAnswer<Name>>> {
      const { benchCalls } = await import('../wire/bench-calls.ts')
      const { answer }: BenchCall = benchCalls[name]
      return answer as Printed<BenchAnswer<Name>>
    }

    protected async call(
      flags: ConnectionFlags,
      request: BenchRequest<Name>,
    ): Promise<BenchAnswer<Name>> {
      return this.callOther(name, flags, request)
    }

    /** Makes another call, for a command with two of them. */
    protected async callOther<Other extends BenchCallName>(
      other: Other,
      flags: ConnectionFlags,
      request: BenchRequest<Other>,
    ): Promise<BenchAnswer<Other>> {
      const { send } = await this.reach(flags)
      const { callBench } = await import('../wire/bench-calls.ts')
      return callBench(send, other, request)
    }
  }
  return BenchCallCommand
}

export const clockTimeoutFlag = Flags.string({
  helpValue: 'TIME',
  description: 'Maximum time to wait for due work. Default: 30s.',
})
