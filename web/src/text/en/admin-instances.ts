export const adminInstances = {
  title: 'Instances',
}

export type AdminInstancesWords = typeof adminInstances
