import { expect, test } from 'vitest'
import { serviceBody } from './bodies.ts'
import { tmpfsForImage, tmpfsSizeOf, volumeOptions } from './disk.ts'
import { ServiceConfig } from './service-config.ts'

const serviceOf = (fields: object = {}) => ServiceConfig.parse({ image: 'app:1', ...fields })

test.each([
  ['', null],
  ['noexec,nosuid,mode=1777', null],
  ['size=8m,mode=700', 8_388_608],
  ['size=1k,SIZE=2K', 2048],
  ['size=0', Infinity],
  ['size=50%', Infinity],
  ['size=8m,rshared', Infinity],
  ['nr_inodes=0', Infinity],
  ['rbind', Infinity],
])('the size in %j is %j', (options, size) => {
  expect(tmpfsSizeOf(options)).toBe(size)
})

test('a volume is a tmpfs with a size limit, whatever its options', () => {
  const limits = 'nr_inodes=65536,nosuid,nodev'
  const tmpfs = { type: 'tmpfs', device: 'tmpfs' }
  const local = { driver: 'local', driver_opts: {} } as const
  const sized = { driver: 'tmpfs', driver_opts: { o: 'size=1m,uid=999' } } as const
  expect(volumeOptions(local, false)).toEqual({ ...tmpfs, o: `nr_blocks=16384,${limits}` })
  expect(volumeOptions(sized, false)).toEqual({ ...tmpfs, o: `uid=999,nr_blocks=256,${limits}` })
  expect(volumeOptions(local, true)).toEqual({})
})

test('a volume declared by an image becomes memory, unless the challenge mounts something there', () => {
  const service = serviceOf({ tmpfs: { '/cache/': 'size=1m' }, volumes: ['data:/data:ro'] })
  expect(tmpfsForImage(service, ['/cache', '/data/', '/other'])).toEqual({
    '/other': 'size=67108864,mode=1777,exec,nosuid,nodev',
  })
})

test('a writable root has a limit for its layer and for each file', () => {
  const order = { name: 'app', labels: {}, environment: {}, place: null, hosts: [], volumes: {}, tmpfs: {} }
  const hostConfigOf = (fields: object, writableBytes: number | null) =>
    serviceBody({ ...order, service: serviceOf(fields), writableBytes }).HostConfig
  const writable = hostConfigOf({ read_only: false }, 1024)
  expect(writable).toMatchObject({ ReadonlyRootfs: false, StorageOpt: { size: '1024' } })
  expect(writable.Ulimits).toContainEqual({ Name: 'fsize', Soft: 1024, Hard: 1024 })
  const unlimited = { read_only: false, ulimits: { fsize: { soft: 2048, hard: 2048 } } }
  expect(hostConfigOf(unlimited, 1024).Ulimits).toContainEqual({ Name: 'fsize', Soft: 1024, Hard: 1024 })
  expect(hostConfigOf({}, 1024)).not.toHaveProperty('StorageOpt')
  expect(hostConfigOf({}, null).Ulimits).toContainEqual({ Name: 'core', Soft: 0, Hard: 0 })
})
