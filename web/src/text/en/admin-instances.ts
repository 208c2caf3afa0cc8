import { catalogue } from '../catalogue.ts'
import { counted } from '../counted.ts'

export const adminInstancesMessages = catalogue('adminInstances', {
  title: 'Instances',
  table: 'Instances of all teams',
  none: 'No instances running.',
  noInstancer: 'No instancer is configured. Set `instancers` in the server configuration to offer instances.',
  timeLeft: 'Time left',
  machine: 'Host',
  stop: 'Stop',
  unknown: 'unknown',
  states: {
    stopped: 'stopped',
    running: 'running',
    starting: 'starting',
    stopping: 'stopping',
    errored: 'failed',
  },
  crashing: (restarts: string) => `crashing, restarted ${counted(restarts, 'time', 'times')}`,
  host: (name: string, used: string, max: string) => `${name}: ${used} of ${max} slots used`,
  avoidedPorts: (ports: string) =>
    `Ports that do not lead to their instance, not used for an hour: ${ports}. Clean up this host: docs/operate/instances.md#cleaning-up-a-host`,
  hostDown: (name: string) => `${name}: not responding`,
})

export type AdminInstancesMessages = typeof adminInstancesMessages.english
