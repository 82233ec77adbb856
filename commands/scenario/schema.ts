import { BaseCommand } from '../../src/cli/base-command.ts'

export default class ScenarioSchema extends BaseCommand {
  static override summary = 'Print the JSON Schema of scenario files, for editors.'
  static override examples = ['<%= config.bin %> <%= command.id %> > scenario.schema.json']

  async run() {
    await this.parse(ScenarioSchema)
    const { scenarioSchema } = await import('../../src/tools/scenario/read-scenario.ts')
    const schema = scenarioSchema()
    this.show(JSON.stringify(schema, undefined, 2))
    return schema
  }
}
