// Words that people type because other programs have them, with what they mean here. A test checks that each command
// that this table names exists. A command is never looked up here.

/** What coopshare calls a thing. The singular also stands for the plural with s. */
export const topicsOfWords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    order: 'purchase',
    'share-purchase': 'purchase',
    investment: 'purchase',
    share: 'purchase',
    partner: 'organization',
    tenant: 'organization',
    bank: 'organization',
    company: 'organization',
    org: 'organization',
    organisation: 'organization',
    customer: 'investor',
    person: 'investor',
    people: 'investor',
    member: 'investor',
    shareholder: 'investor',
    coop: 'cooperative',
    catalogue: 'cooperative',
    catalog: 'cooperative',
    endpoint: 'webhook',
    hook: 'webhook',
    receiver: 'webhook',
    subscription: 'webhook',
    delivery: 'event',
    deliveries: 'event',
    notification: 'event',
    app: 'client',
    credential: 'client',
    staff: 'operator',
    db: 'store',
    database: 'store',
    history: 'audit',
    fixture: 'fixtures',
    seed: 'fixtures',
  }),
)

/** What commands call it. The first of a list that the topic has is meant. */
export const verbsOfWords: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ls: ['list'],
    all: ['list'],
    index: ['list'],
    get: ['show'],
    view: ['show'],
    read: ['show'],
    describe: ['show'],
    info: ['show'],
    inspect: ['show'],
    details: ['show'],
    add: ['create', 'register', 'add', 'import', 'apply'],
    new: ['create', 'register', 'add'],
    create: ['create', 'register', 'add'],
    insert: ['create', 'register', 'add'],
    delete: ['delete', 'remove', 'erase', 'purge', 'revoke', 'clear'],
    remove: ['remove', 'delete', 'erase', 'purge', 'revoke', 'clear'],
    rm: ['remove', 'delete', 'erase', 'purge', 'revoke', 'clear'],
    destroy: ['delete', 'remove', 'erase', 'purge', 'revoke', 'clear'],
    forget: ['erase'],
    edit: ['update'],
    set: ['update'],
    change: ['update'],
    modify: ['update'],
    accept: ['approve'],
    decline: ['reject'],
    deny: ['reject'],
    refuse: ['reject'],
    complete: ['settle'],
    pay: ['settle'],
    withdraw: ['cancel'],
    retry: ['replay'],
    resend: ['replay'],
    block: ['disable'],
    unblock: ['enable'],
    load: ['import', 'apply'],
    dump: ['export'],
    upload: ['import', 'apply'],
    download: ['export'],
    validate: ['verify', 'check'],
  }),
)

interface OtherWord {
  readonly words: readonly string[]
  /** Sentences before the commands, or instead of them. */
  readonly advice?: string
  readonly commands?: readonly string[]
}

const stopping =
  'A service stops with Ctrl-C in its terminal, with `systemctl stop coopshare` if systemd runs it, or with the signal SIGTERM. The service then finishes the requests in flight.'

export const otherWords: readonly OtherWord[] = [
  {
    words: ['start', 'run', 'up', 'launch', 'boot', 'server', 'service', 'daemon', 'demo', 'dev'],
    advice:
      'A service starts with `coopshare serve`, or with demo data with `coopshare serve --demo`.',
  },
  {
    words: ['init', 'setup', 'install'],
    advice: 'No step comes before the first start: `coopshare serve` creates its store.',
  },
  {
    words: ['stop', 'down', 'quit', 'exit', 'kill', 'shutdown', 'halt', 'end'],
    advice: stopping,
  },
  {
    words: ['restart', 'reload'],
    advice: `${stopping} Then start it again with \`coopshare serve\`; systemd does both with \`systemctl restart coopshare\`.`,
  },
  {
    words: ['status', 'health', 'ping', 'ready', 'ps'],
    advice:
      '`/readyz` of the partner API says whether a service is ready, and `coopshare tail` shows its requests. `coopshare config show` shows its settings, and `coopshare store check` checks what it has stored.',
  },
  {
    words: ['log', 'logs'],
    advice:
      'The service writes its log to stderr; under systemd, `journalctl -u coopshare` shows it.',
    commands: ['tail', 'audit list', 'event show'],
  },
  { words: ['watch', 'follow', 'monitor', 'requests', 'traffic'], commands: ['tail'] },
  {
    words: ['metrics', 'stats', 'statistics'],
    advice: 'The operator endpoint has Prometheus metrics at `/metrics`.',
  },
  {
    words: ['ui', 'gui', 'admin', 'dashboard', 'web', 'browser', 'open'],
    advice:
      'The console works in your browser: `coopshare console --open` opens it and signs you in. A service must be running.',
  },
  {
    words: ['login', 'signin', 'auth', 'authenticate', 'whoami'],
    advice:
      'Commands need no login. On the machine of the service they act as the local administrator; from another machine, give --operator-url and set COOPSHARE_OPERATOR_TOKEN to an operator token. `coopshare operator create` makes a token for an operator, `coopshare console` signs you in to the console, and `coopshare token` makes a token for the partner API.',
  },
  {
    words: ['logout', 'signout'],
    advice:
      'Commands keep no session: unset COOPSHARE_OPERATOR_TOKEN. If others may know the token, run `coopshare operator rotate-token`.',
  },
  {
    words: ['user', 'users', 'account', 'accounts'],
    commands: ['operator list', 'investor list', 'client list'],
  },
  { words: ['role', 'roles', 'permission', 'permissions'], commands: ['operator set-role'] },
  {
    words: ['password', 'passwords', 'secret', 'secrets'],
    commands: ['client rotate-secret', 'webhook rotate-secret', 'operator rotate-token'],
  },
  { words: ['price', 'prices'], commands: ['cooperative set-price', 'cooperative price-history'] },
  { words: ['mail', 'email', 'mails', 'emails'], commands: ['event list'] },
  { words: ['forward', 'tunnel', 'proxy'], commands: ['listen'] },
  { words: ['search', 'query', 'grep', 'lookup'], commands: ['find'] },
  { words: ['time', 'date', 'now'], commands: ['clock show', 'clock advance'] },
  { words: ['upgrade', 'migration', 'migrations'], commands: ['store migrate'] },
  {
    words: ['api', 'spec', 'openapi', 'swagger', 'docs', 'documentation', 'manual', 'guide'],
    advice: 'A running service has the reference of the partner API at `/docs`.',
    commands: ['contract export', 'help'],
  },
  {
    words: ['settings', 'setting', 'env', 'environment', 'configure', 'options', 'preferences'],
    commands: ['config show'],
  },
  { words: ['man', 'usage', 'commands'], commands: ['help'] },
  {
    words: ['test', 'tests'],
    commands: ['scenario run', 'contract verify', 'webhook certify', 'webhook test'],
  },
]
