import { BaseCommand } from '../../src/cli/base-command.ts'
import { value } from '../../src/wire/view.ts'

export default class ScenarioSchema extends BaseCommand<object> {
  static override summary = 'Print the JSON Schema of scenario files, for editors.'
  static override examples = ['<%= config.bin %> <%= command.id %> > scenario.schema.json']

  override async output() {
    return value<object>({ type: 'object', description: 'A JSON Schema.' })
  }

  async run() {
    await this.parse(ScenarioSchema)
    const { scenarioSchema } = await import('../../src/tools/scenario/read-scenario.ts')
    const schema = scenarioSchema()
    this.show(JSON.stringify(schema, undefined, 2))
    return schema
  }
}
