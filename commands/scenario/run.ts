import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { parseReceiverUrl } from '../../src/config/common-flags.ts'

export default class ScenarioRun extends BaseCommand {
  static override summary = 'Run scenario files, each on its own service (staging only).'
  static override description = [
    'A scenario describes in YAML what happens and what you expect: orders, decisions, faults, time, webhooks, answers of your app. `scenario schema` prints the schema of the files.',
    'The service of a scenario runs in this program on a free port, with the bench, until the scenario ends. If your app calls it, set --port, or send the app $COOPSHARE_URL in a first step.',
    'Exit code 4: a scenario failed. Exit code 2: a file is wrong, and no scenario was run.',
  ].join('\n\n')
  static override examples = [
    '<%= config.bin %> <%= command.id %> examples/scenarios/*.yaml',
    '<%= config.bin %> <%= command.id %> scenarios/*.yaml --app http://127.0.0.1:3000 --port 8080 --junit scenarios.xml',
  ]
  static override args = {
    files: Args.string({
      required: true,
      multiple: true,
      ignoreStdin: true,
      description: 'Scenario files.',
    }),
  }
  static override flags = {
    app: Flags.string({
      helpValue: 'URL',
      parse: async (text) => parseReceiverUrl('app', text),
      description: 'Address of your app; steps call it $APP.',
    }),
    port: Flags.integer({
      min: 0,
      max: 65_535,
      default: 0,
      description: 'Port of the partner API; 0 picks a free one.',
    }),
    junit: Flags.string({ helpValue: 'FILE', description: 'Also write a JUnit report for CI.' }),
  }

  async run() {
    const { args, flags } = await this.parse(ScenarioRun)
    const { runScenarios } = await import('../../src/cli/scenario/run-scenario.ts')
    const { describePlayed, renderRun, writeJunit } = await import(
      '../../src/cli/scenario/run-scenario.ts'
    )
    const stage = { app: flags.app, port: flags.port }
    const played = await runScenarios(args.files, stage, {
      report: (one) => this.show(describePlayed(one).join('\n')),
    })
    if (flags.junit !== undefined) await writeJunit(flags.junit, played)
    const run = renderRun(played)
    this.show(`${run.passed} of ${played.length} scenarios passed.`)
    if (run.failed > 0) process.exitCode = exitCodes.refused
    return run
  }
}
