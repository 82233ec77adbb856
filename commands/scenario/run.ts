import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/base-command.ts'
import { exitCodes } from '../../src/cli/error-codes.ts'
import { parseReceiverUrl } from '../../src/config/common-flags.ts'
import { junitFlag } from '../../src/tools/junit.ts'
import type { ScenarioResult, scenarioRun } from '../../src/tools/scenario/run-scenario.ts'
import type { Rendered } from '../../src/wire/view.ts'

export default class ScenarioRun extends BaseCommand<Rendered<typeof scenarioRun>> {
  static override summary = 'Run scenario files, each on its own service (staging only).'
  static override description = [
    'A scenario is a YAML file that describes what happens, such as orders, decisions and faults, and what you expect, such as webhooks and answers of your app. `scenario schema` prints the schema of the files.',
    'Each scenario has its own service with the bench, which runs in this program on a free port until the scenario ends. If your app calls the service, set --port, or send $COOPSHARE_URL to the app in a first step.',
    'Exit code 4: a scenario failed. Exit code 2: a file is wrong.',
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
      description: 'Scenario files. Patterns such as "scenarios/*.yaml" may be quoted.',
    }),
  }
  static override flags = {
    app: Flags.string({
      helpValue: 'URL',
      parse: async (text) => parseReceiverUrl('--app', text),
      description: 'Address of your app; steps refer to it as $APP.',
    }),
    port: Flags.integer({
      min: 0,
      max: 65_535,
      default: 0,
      description: 'Port of the partner API; 0 picks a free one.',
    }),
    junit: junitFlag,
  }

  override async output() {
    const { scenarioRun } = await import('../../src/tools/scenario/run-scenario.ts')
    return scenarioRun
  }

  async run() {
    const { args, flags } = await this.parse(ScenarioRun)
    const { runScenarios, describeResult, scenarioRun, reportRun } = await import(
      '../../src/tools/scenario/run-scenario.ts'
    )
    const stage = { app: flags.app, port: flags.port }
    const played: ScenarioResult[] = []
    try {
      await runScenarios(args.files, stage, (one) => {
        played.push(one)
        this.show(describeResult(one).join('\n'))
      })
    } finally {
      // If the command fails in a later scenario, the report still has the earlier ones.
      if (flags.junit !== undefined && played.length > 0) await reportRun(flags.junit, played)
    }
    const run = scenarioRun.render(played)
    this.show(`${run.passed} of ${played.length} scenarios passed.`)
    if (run.failed > 0) process.exitCode = exitCodes.refused
    return run
  }
}
