import type { AdminInstancesWords } from '../en/admin-instances.ts'

export const adminInstances: AdminInstancesWords = {
  title: 'Instanzen',
  table: 'Instanzen aller Teams',
  none: 'Nichts läuft.',
  challenge: 'Aufgabe',
  team: 'Team',
  status: 'Zustand',
  timeLeft: 'Restzeit',
  where: 'Maschine',
  actions: 'Aktionen',
  stop: 'Beenden',
  unknown: 'nicht gemeldet',
  states: {
    stopped: 'beendet',
    running: 'läuft',
    starting: 'startet',
    stopping: 'wird beendet',
    errored: 'gescheitert',
  },
  host: (name, used, max) => `${name}: ${used} von ${max} Plätzen belegt`,
  hostDown: (name) => `${name}: antwortet nicht`,
}
