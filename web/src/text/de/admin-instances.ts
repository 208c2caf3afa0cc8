import type { AdminInstancesWords } from '../en/admin-instances.ts'

export const adminInstances: AdminInstancesWords = {
  title: 'Instanzen',
}
