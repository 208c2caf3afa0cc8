export const adminInstances = {
  title: 'Instances',
  table: 'Instances of all teams',
  none: 'Nothing runs.',
  challenge: 'Challenge',
  team: 'Team',
  status: 'State',
  timeLeft: 'Time left',
  where: 'Machine',
  actions: 'Actions',
  stop: 'Stop',
  unknown: 'not told',
  states: {
    stopped: 'stopped',
    running: 'running',
    starting: 'starting',
    stopping: 'stopping',
    errored: 'failed',
  },
  host: (name: string, used: string, max: string) => `${name}: ${used} of ${max} places taken`,
  hostDown: (name: string) => `${name}: does not answer`,
}

export type AdminInstancesWords = typeof adminInstances
