"""A pytest plugin: empties the test's buckets with one client for each key.

The suite makes eight clients for every test, which takes longer than most of its tests, and one bucket that cannot be
emptied fails all the tests after it.
"""
_clients = {}
_stuck = set()


def _clean():
    import s3tests.functional as suite
    config, error = suite.config, None
    # Where accounts share a key, the last of them counts: the main one.
    makers = {
        config.tenant_access_key: suite.get_tenant_client,
        config.alt_access_key: suite.get_alt_client,
        config.main_access_key: suite.get_client,
    }
    for key, make in makers.items():
        if key not in _clients:
            _clients[key] = make()
        client = _clients[key]
        for bucket in client.list_buckets().get('Buckets', []):
            name = bucket['Name']
            if name.startswith(suite.get_prefix()) and name not in _stuck:
                try:
                    suite.nuke_bucket(client, name)
                except Exception as e:  # whatever it is, it must not stop the next bucket
                    _stuck.add(name)
                    error = e
    if error:
        raise error


def pytest_collection_finish(session):
    import s3tests.functional as suite
    suite.setup, suite.teardown = (lambda: None), _clean
