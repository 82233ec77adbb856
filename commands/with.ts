import { Flags } from '@oclif/core'
import { BaseCommand } from '../src/cli/base-command.ts'
import { benchFlags } from '../src/config/bench-flags.ts'
import { invalid } from '../src/config/common-flags.ts'
import type { serviceOfCommand } from '../src/tools/with/run-with-service.ts'
import type { Rendered } from '../src/wire/view.ts'

const { 'exit-with-parent': _, ...ownBenchFlags } = benchFlags

export default class With extends BaseCommand<Rendered<typeof serviceOfCommand>> {
  static override summary = 'Run a command with its own service (staging only).'
  static override description = [
    'Starts a service on free ports with an empty data directory, runs COMMAND, and exits with the exit code of COMMAND. Without --fixtures the service has the demo data. The environment of the service is always staging; its other settings come from environment variables.',
    'COMMAND gets the variables COOPSHARE_URL, COOPSHARE_CLIENT_ID and COOPSHARE_CLIENT_SECRET (of the first client in the fixtures), COOPSHARE_OPERATOR_URL and COOPSHARE_OPERATOR_TOKEN.',
  ].join('\n')
  static override usage = '<%= command.id %> [flags] -- COMMAND…'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --fixtures ci.yaml --bench --now 2026-11-20T10:00:00Z -- npm test',
  ]
  static override flags = {
    fixtures: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
      description: 'Apply a fixture file at start; repeatable.',
    }),
    demo: Flags.boolean({ description: 'Add demo data, even with --fixtures.' }),
    ...ownBenchFlags,
  }

  override get printsLines() {
    return true
  }

  override async output() {
    const { serviceOfCommand } = await import('../src/tools/with/run-with-service.ts')
    return {
      ...serviceOfCommand,
      note: 'Printed to stderr when the service is ready. stdout belongs to the command.',
    }
  }

  async run(): Promise<void> {
    const end = this.argv.indexOf('--')
    const command = end === -1 ? [] : this.argv.slice(end + 1)
    if (command.length === 0) {
      throw invalid('Name the command after --, for example: coopshare with --demo -- npm test.')
    }
    const { flags, raw } = await this.parse(With, this.argv.slice(0, end))
    const given = raw.filter((token) => token.type === 'flag')
    const args = given
      .filter(({ flag }) => flag !== 'fixtures' && flag !== 'json')
      .flatMap(({ flag, input }) => (isSwitch(flag) ? [`--${flag}`] : [`--${flag}`, input]))
    const { runWithService, serviceOfCommand } = await import(
      '../src/tools/with/run-with-service.ts'
    )
    process.exitCode = await runWithService({
      fixtures: flags.fixtures ?? [],
      args,
      command,
      // stdout belongs to the command that runs.
      greet: (service) => {
        const { url, operatorUrl } = service
        if (this.jsonEnabled()) this.tell(JSON.stringify(serviceOfCommand.render(service)))
        else this.tell(`Service ready at ${url}, operator endpoint at ${operatorUrl}.`)
      },
    })
  }
}

function isSwitch(flag: string): boolean {
  const { type } = { ...With.flags, ...With.baseFlags }[flag as keyof typeof With.flags]
  return type === 'boolean'
}
