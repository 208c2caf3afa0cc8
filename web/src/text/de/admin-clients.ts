import type { AdminClientsWords } from '../en/admin-clients.ts'

export const adminClients: AdminClientsWords = {
  title: 'Anmeldedienste',
}
