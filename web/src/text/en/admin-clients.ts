export const adminClients = {
  title: 'Sign-in clients',
}

export type AdminClientsWords = typeof adminClients
