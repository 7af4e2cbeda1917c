// What a program with kafkajs does: node kafkajs.mjs HOST:PORT. Prints what came of it as one line of JSON.
import { randomUUID } from 'node:crypto'
import kafkajs from 'kafkajs'

const { CompressionTypes, Kafka, logLevel } = kafkajs
const COUNT = 200
const kafka = new Kafka({ clientId: 'kafkajs-program', brokers: [process.argv[2]], logLevel: logLevel.ERROR })
const topic = 'kafkajs-' + randomUUID()
const groupId = 'kafkajs-group-' + randomUUID()
const result = {}

const admin = kafka.admin()
await admin.connect()
result.created = await admin.createTopics({ topics: [{ topic, numPartitions: 3, replicationFactor: 1 }], waitForLeaders: true })

const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 })
await producer.connect()
const messages = Array.from({ length: COUNT }, (_, i) => ({ key: 'k' + (i % 10), value: 'v' + i, headers: { n: String(i) } }))
await producer.send({ topic, messages: messages.slice(0, COUNT / 2), acks: -1 })
await producer.send({ topic, messages: messages.slice(COUNT / 2), acks: -1, compression: CompressionTypes.GZIP })
await producer.disconnect()

const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 })
await consumer.connect()
await consumer.subscribe({ topics: [topic], fromBeginning: true })
const seen = []
await new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`${seen.length} of ${COUNT} messages after 60 s`)), 60000).unref()
  consumer
    .run({
      eachMessage: async ({ message }) => {
        seen.push([message.key.toString(), message.value.toString(), message.headers.n.toString()])
        if (seen.length === COUNT) resolve()
      }
    })
    .catch(reject)
})
const described = await admin.describeGroups([groupId])
result.group = { state: described.groups[0].state, members: described.groups[0].members.length }
await consumer.disconnect()

result.received = seen.length
result.intact = seen.every(([k, v, n]) => v === 'v' + n && k === 'k' + (Number(n) % 10))
const lastOfKey = {}
result.ordered = seen.every(([k, , n]) => {
  const inOrder = lastOfKey[k] === undefined || lastOfKey[k] < Number(n)
  lastOfKey[k] = Number(n)
  return inOrder
})
const committed = await admin.fetchOffsets({ groupId, topics: [topic] })
result.committed = committed[0].partitions.reduce((sum, { offset }) => sum + Number(offset), 0)
const ends = await admin.fetchTopicOffsets(topic)
result.end = ends.reduce((sum, { high }) => sum + Number(high), 0)

// Two transactions that are committed, and one that is not between them, each with a message and an offset of a group.
const outcomes = topic + '-outcomes'
const outcomesGroup = groupId + '-outcomes'
await admin.createTopics({ topics: [{ topic: outcomes, numPartitions: 1, replicationFactor: 1 }], waitForLeaders: true })
const transactional = kafka.producer({ transactionalId: topic, idempotent: true, maxInFlightRequests: 1 })
await transactional.connect()
for (const [value, offset] of [['yes', '7'], ['no', '8'], ['yes', '9']]) {
  const transaction = await transactional.transaction()
  await transaction.send({ topic: outcomes, messages: [{ partition: 0, value }], acks: -1 })
  await transaction.sendOffsets({ consumerGroupId: outcomesGroup, topics: [{ topic, partitions: [{ partition: 0, offset }] }] })
  await (value === 'yes' ? transaction.commit() : transaction.abort())
}
await transactional.disconnect()
const reader = kafka.consumer({ groupId: outcomesGroup + '-reader', maxWaitTimeInMs: 200 })
await reader.connect()
await reader.subscribe({ topics: [outcomes], fromBeginning: true })
const read = []
await new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`${read} after 60 s`)), 60000).unref()
  reader
    .run({
      eachMessage: async ({ message }) => {
        read.push(message.value.toString())
        if (read.length === 2) resolve()
      }
    })
    .catch(reject)
})
await reader.disconnect()
const offsets = await admin.fetchOffsets({ groupId: outcomesGroup, topics: [topic] })
result.transactions = { read, offset: offsets[0].partitions.find(({ partition }) => partition === 0).offset }

await admin.deleteGroups([groupId])
await admin.deleteTopics({ topics: [topic, outcomes] })
result.gone = !(await admin.listTopics()).includes(topic)
await admin.disconnect()
console.log(JSON.stringify(result))
