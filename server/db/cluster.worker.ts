import { parentPort, workerData } from 'node:worker_threads';
import { serveCluster } from './clusterHost';

await serveCluster(parentPort!, workerData as string);
