"""A pytest plugin: stands in for IAM, which the server has not.

The suite asks IAM for a user of the account and gets a key from the keys file that is the account's and has no rights
of its own, which is what a user without a policy has. What such a user may do to S3 is the server's to say.
"""
import os


class _Iam:
    def get_user(self):
        return {'User': {'Arn': 'arn:aws:iam::main:root'}}

    def create_user(self, UserName, **_):
        return {'User': {'UserName': UserName}}

    def create_access_key(self, **_):
        return {'AccessKey': {'AccessKeyId': os.environ['S3RDMA_IAM_ACCESS_KEY'],
                              'SecretAccessKey': os.environ['S3RDMA_IAM_SECRET_KEY']}}

    def list_open_id_connect_providers(self):
        return {'OpenIDConnectProviderList': []}

    def get_paginator(self, _):
        return self

    def paginate(self, **_):
        return []


def pytest_collection_finish():
    import s3tests.functional.iam as suite
    suite.get_iam_root_client = lambda **_: _Iam()
