import { describe, expect, test } from 'vitest'
import { InstanceConfig, instanceConfigFor } from './instance-config.ts'
import { PrivilegedInstance } from './instance-schema.ts'
import { fillIn, teamValues } from '../../team-values.ts'
import { shellWords } from './shell-words.ts'
import { bytesOf, nanosecondsOf } from './sizes.ts'
import { subnetsFor } from './subnets.ts'

const app = { image: 'registry.example.org/app:1' }
const configOf = (service: object, more: object = {}) => ({
  services: { app: { ...app, ...service } },
  ...more,
})

test('the defaults are restrictive', () => {
  expect(InstanceConfig.parse(configOf({})).services['app']).toMatchObject({
    read_only: true,
    privileged: false,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges'],
    mem_limit: '6m',
    cpus: 1,
    pids_limit: 64,
    ulimits: { nofile: { soft: 1024, hard: 1024 } },
    restart: 'unless-stopped',
    healthcheck: null,
  })
})

test.each([
  ['no service', { services: {} }, /at least one service/],
  ['a network that is not declared', configOf({ networks: ['inner'] }), /inner is not declared/],
  ['a volume that is not declared', configOf({ volumes: ['data:/data'] }), /data is not declared/],
  ['a folder of the machine', configOf({ volumes: ['/etc:/etc'] }), /volume:\/path/],
  [
    'a folder of the machine as a volume',
    configOf({}, { volumes: { data: { driver_opts: { type: 'none', o: 'bind', device: '/' } } } }),
    /local volumes do not support the option type/,
  ],
  [
    'a folder of the machine as memory',
    configOf({}, { volumes: { data: { driver: 'tmpfs', driver_opts: { o: 'bind,size=1m' } } } }),
    /bind mounts are not allowed/,
  ],
  [
    'a folder of the machine with all below it',
    configOf({}, { volumes: { data: { driver: 'tmpfs', driver_opts: { o: 'rbind' } } } }),
    /bind mounts are not allowed/,
  ],
  [
    'a folder of another machine',
    configOf(
      {},
      { volumes: { data: { driver: 'nfs', driver_opts: { o: 'addr=10.0.0.1', device: ':/x' } } } },
    ),
    /driver.*allowPrivileged/,
  ],
  [
    'a volume without a bound',
    configOf({}, { volumes: { data: { driver: 'tmpfs', driver_opts: { o: 'size=0' } } } }),
    /size of at most 256m/,
  ],
  ['options of a mount that reach the machine', configOf({ tmpfs: { '/x': 'rshared' } }), /tmpfs/],
  ['a mount with other options', configOf({ volumes: ['data:/data:rshared'] }), /volume:\/path/],
  ['the bridge that all share', configOf({ network_mode: 'bridge' }), /network_mode.*allowPrivileged/],
  ['a router', configOf({ sysctls: { 'net.ipv4.ip_forward': '1' } }), /sysctls.*allowPrivileged/],
  [
    'more memory of the kernel',
    configOf({ sysctls: { 'kernel.msgmax': '9999999' } }),
    /sysctls.*allowPrivileged/,
  ],
  [
    'core dumps on the machine',
    configOf({ ulimits: { core: { soft: 1, hard: 1 } } }),
    /ulimits.*allowPrivileged/,
  ],
  [
    'priority over the machine',
    configOf({ ulimits: { rtprio: { soft: 1, hard: 1 } } }),
    /ulimits.*allowPrivileged/,
  ],
  [
    'any number of open files',
    configOf({ ulimits: { nofile: { soft: -1, hard: -1 } } }),
    /ulimits.*allowPrivileged/,
  ],
  ['a writable root without a limit', configOf({ read_only: false }), /read_only.*writableLayerSize/],
  [
    'a check in each millisecond',
    configOf({ healthcheck: { test: ['CMD', 'true'], interval: '1ms' } }),
    /at least 1s/,
  ],
  ['commands by label', configOf({ labels: { 'ofelia.enabled': 'true' } }), /labels.*allowPrivileged/],
  [
    'another host name at the proxy in capitals',
    configOf({ labels: { 'Traefik.http.routers.x.rule': 'x' } }),
    /label/,
  ],
  ['another host name at the proxy', configOf({ labels: { 'traefik.http.routers.x.rule': 'x' } }), /label/],
  ['a label of ours', configOf({ labels: { 'org.pennant.role': 'claim' } }), /label/],
  ['a quote left open', configOf({ command: 'sh -c "x' }), /quote/],
  ['limits the wrong way round', configOf({ ulimits: { nofile: { soft: 2, hard: 1 } } }), /soft/],
  ['an unknown field', configOf({ imagge: 'x' }), /imagge/],
  ['the whole machine', configOf({ privileged: true }), /allowPrivileged/],
  ['the network of the machine', configOf({ network_mode: 'host' }), /allowPrivileged/],
  ['rights beyond the container', configOf({ cap_add: ['SYS_ADMIN'] }), /cap_add.*allowPrivileged/],
  ['the usual rights of a container', configOf({ cap_drop: ['NET_RAW'] }), /cap_drop.*allowPrivileged/],
  ['new rights by programs', configOf({ security_opt: [] }), /security_opt.*allowPrivileged/],
  [
    'no filter of system calls',
    configOf({ security_opt: ['no-new-privileges', 'seccomp=unconfined'] }),
    /security_opt.*allowPrivileged/,
  ],
  ['any number of processes', configOf({ pids_limit: -1 }), /pids_limit.*allowPrivileged/],
  ['no limit of processes', configOf({ pids_limit: 0 }), /pids_limit.*allowPrivileged/],
  [
    'a network that is open to others',
    configOf(
      {},
      { networks: { a: { driver_opts: { 'com.docker.network.bridge.gateway_mode_ipv4': 'routed' } } } },
    ),
    /driver_opts.*allowPrivileged/,
  ],
  [
    'the network of the machine by a name',
    configOf({}, { networks: { a: { driver: 'host' } } }),
    /allowPrivileged/,
  ],
])('%s is refused', (_, config, reason) => {
  const checked = InstanceConfig.safeParse(config)
  expect(checked.success).toBe(false)
  expect(JSON.stringify(checked.error?.issues)).toMatch(reason)
})

test('an operator may allow options that give access to the host', () => {
  const bold = { cap_add: ['SYS_ADMIN'], cap_drop: [], security_opt: ['seccomp=unconfined'], pids_limit: -1 }
  const config = configOf({ privileged: true, network_mode: 'host', ...bold })
  expect(PrivilegedInstance.safeParse(config).success).toBe(true)
  expect(InstanceConfig.safeParse(configOf({ cap_add: ['NET_BIND_SERVICE', 'SETUID'] })).success).toBe(true)
  const careful = configOf(
    { security_opt: ['no-new-privileges:true'], cap_drop: ['ALL', 'NET_RAW'], pids_limit: 1 },
    { networks: { a: { driver_opts: { 'com.docker.network.driver.mtu': '1400' } } } },
  )
  expect(InstanceConfig.safeParse(careful).success).toBe(true)
  const limited = instanceConfigFor({ allowPrivileged: false, writableLayerSize: '1g', maxVolumeSize: '1g' })
  const writable = configOf(
    { read_only: false },
    { volumes: { data: { driver: 'tmpfs', driver_opts: { o: 'size=1g' } } } },
  )
  expect(limited.safeParse(writable).success).toBe(true)
})

test.each([
  ['echo hello', ['echo', 'hello']],
  [`sh -c 'echo "a b" $X'`, ['sh', '-c', 'echo "a b" $X']],
  ['a "b c"d e\\ f', ['a', 'b cd', 'e f']],
  ['  spread   out  ', ['spread', 'out']],
  ['""', ['']],
  ['', []],
  [`open 'quote`, null],
])('splits %j into words', (line, words) => {
  expect(shellWords(line)).toEqual(words)
})

test('parses sizes and durations', () => {
  expect(['1b', '6m', '2g', '10k', '7'].map(bytesOf)).toEqual([1, 6_291_456, 2_147_483_648, 10_240, 7])
  expect(['1ns', '5us', '2ms', '30s', '2m', '1h'].map(nanosecondsOf)).toEqual([
    1, 5e3, 2e6, 30e9, 120e9, 3600e9,
  ])
})

describe('placeholders', () => {
  const exposed = {
    kind: 'tcp',
    hostPrefix: 'app',
    containerName: 'app',
    containerPort: 1,
    host: 'h',
    port: 2,
  } as const
  const values = teamValues(
    [
      { provider: 'flags/static', flag: 'flag{a}' },
      { provider: 'flags/static', flag: 'flag{$SVC_FLAG}' },
    ],
    [exposed],
  )

  test("are replaced by the team's values, and nothing else is", () => {
    expect(fillIn('$SVC_FLAG ${SVC_FLAG}', values)).toBe('flag{a} flag{a}')
    expect(fillIn('$SVC_FLAGS', values)).toBe('["flag{a}","flag{$SVC_FLAG}"]')
    expect(JSON.parse(fillIn('${SVC_EXPOSED_HOSTNAMES}', values))).toEqual([exposed])
    expect(fillIn('$RCTF_FLAG ${RCTF_FLAG} $RCTF_FLAGX', values)).toBe('flag{a} flag{a} $RCTF_FLAGX')
    expect(fillIn('$RCTF_FLAGS', values)).toBe('["flag{a}","flag{$SVC_FLAG}"]')
    expect(JSON.parse(fillIn('$RCTF_EXPOSED_HOSTNAMES', values))).toEqual([exposed])
    expect(fillIn('$HOME $SVC_FLAGX ${OTHER} $$ 5$', values)).toBe('$HOME $SVC_FLAGX ${OTHER} $$ 5$')
  })

  test('are empty without a flag', () => {
    expect(fillIn('<$SVC_FLAG>$SVC_FLAGS', teamValues([], []))).toBe('<>[]')
  })
})

test('subnets cover the whole pool once, in an order that depends on the name', () => {
  const all = [...subnetsFor('10.0.0.0/24', 'a')].map(({ cidr }) => cidr)
  expect(new Set(all).size).toBe(16)
  expect(all).not.toEqual([...subnetsFor('10.0.0.0/24', 'b')].map(({ cidr }) => cidr))
  const [first] = [...subnetsFor('10.0.0.0/28', 'a')]
  expect(first?.cidr).toBe('10.0.0.0/28')
  expect([1, 2, 13].map((n) => first?.address(n))).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.14'])
})
