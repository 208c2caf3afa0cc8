import type { AdminInstancesMessages } from '../en/admin-instances.ts'

export const adminInstances: AdminInstancesMessages = {
  title: 'Instanzen',
  table: 'Instanzen aller Teams',
  none: 'Keine laufenden Instanzen.',
  noInstancer:
    'Kein Instancer ist eingerichtet. Für Instanzen `instancers` in der Serverkonfiguration setzen.',
  challenge: 'Aufgabe',
  team: 'Team',
  status: 'Status',
  timeLeft: 'Restzeit',
  machine: 'Host',
  actions: 'Aktionen',
  stop: 'Beenden',
  unknown: 'unbekannt',
  states: {
    stopped: 'beendet',
    running: 'läuft',
    starting: 'startet',
    stopping: 'wird beendet',
    errored: 'fehlgeschlagen',
  },
  host: (name, used, max) => `${name}: ${used} von ${max} Plätzen belegt`,
  hostDown: (name) => `${name}: antwortet nicht`,
}
