import { type Command, Config, type Interfaces } from '@oclif/core'

export interface Program {
  readonly pjson: object
  /** What help and completion say of each, so that only the one that runs is read. */
  readonly commands: Readonly<Record<string, object>>
  /** The module of a command. */
  readonly load: (id: string) => Promise<{ readonly default: unknown }>
}

/** oclif's view of the program, with nothing looked for on the disk. */
export async function loadConfig(program: Program): Promise<Config> {
  const plugin = asPlugin(program)
  const { pjson, root } = plugin
  return Config.load({ pjson, root, plugins: new Map([[plugin.name, plugin]]) })
}

/** Never read from, but oclif wants one. */
const root = '.'

function asPlugin({ pjson: json, commands, load }: Program): Interfaces.Plugin {
  const pjson = json as Interfaces.PJSON
  const { name, version } = pjson
  const plugin: Interfaces.Plugin = {
    ...{ _base: '', alias: name, name, version, type: 'core', pjson, root, options: { root } },
    ...{ isRoot: true, valid: true, hasManifest: true, moduleType: 'module', hooks: {} },
    commandsDir: undefined,
    commandIDs: Object.keys(commands),
    commands: Object.values(commands).map((cached) => {
      const command = cached as Command.Cached
      return { ...command, load: () => loadCommand(command.id) }
    }),
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([name, topic]) => ({ ...topic, name })),
    findCommand: loadCommand,
    load: async () => {},
  }
  return plugin

  async function loadCommand(id: string): Promise<Command.Class> {
    const command = (await load(id)).default as Command.Class
    return Object.assign(command, { id, plugin })
  }
}
