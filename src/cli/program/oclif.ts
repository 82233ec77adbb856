import { type Command, Config, type Interfaces } from '@oclif/core'

export interface Program {
  readonly pjson: object
  /** The manifest of oclif, so that help and completion load no command. */
  readonly commands: Readonly<Record<string, object>>
  /** The module of a command. */
  readonly load: (id: string) => Promise<{ readonly default: unknown }>
}

/** The configuration of oclif, made without a look at the disk. */
export async function loadConfig(program: Program): Promise<Config> {
  const plugin = asPlugin(program)
  const { pjson, root } = plugin
  return Config.load({ pjson, root, plugins: new Map([[plugin.name, plugin]]) })
}

/** oclif requires a root and never reads it. */
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
